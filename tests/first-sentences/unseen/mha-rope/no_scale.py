# Says: The scores `Q @ K.transpose(-2, -1)` go into the softmax without being divided by the square root of `d_k`.
# Line: 11
# Names: scores, square root
# Kind: wrong idea
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    p = F.softmax(scores, dim=-1)
    return p @ V


def rotate(x, cos, sin):
    even = x[..., 0::2]
    odd = x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freq = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    a = token_positions.unsqueeze(-1) * freq
    return rotate(in_query_or_key, a.cos().to(in_query_or_key.dtype), a.sin().to(in_query_or_key.dtype))


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta,
                                       q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
                                       in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError("bad num_heads")
    d = d_model // num_heads
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(0, seq)
    if len(token_positions.shape) > 1:
        token_positions = token_positions.unsqueeze(-2)

    def project(w):
        z = F.linear(in_features, w)
        z = z.reshape(z.shape[:-1] + (num_heads, d))
        return z.transpose(-3, -2)

    Q = rope(d, theta, max_seq_len, project(q_proj_weight), token_positions)
    K = rope(d, theta, max_seq_len, project(k_proj_weight), token_positions)
    V = project(v_proj_weight)
    out = scaled_dot_product_attention(Q, K, V).transpose(-3, -2)
    out = out.reshape(out.shape[:-2] + (d_model,))
    return F.linear(out, o_proj_weight)
