# Says: `scores = scores * mask` sets hidden scores to 0, and exp(0) is 1, so hidden keys still get weight: fill them with minus infinity through `masked_fill`.
# Line: 20
# Names: scores * mask, minus infinity
# Kind: wrong idea
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta,
                                       q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
                                       in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    front = in_features.shape[:-2]

    def heads(w):
        return torch.matmul(in_features, w.T).reshape(front + (seq, num_heads, d_head)).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    i = torch.arange(seq)
    mask = i[:, None] >= i[None, :]
    out = scaled_dot_product_attention(q, k, v, mask)
    out = out.transpose(-3, -2).reshape(front + (seq, d_model))
    return torch.matmul(out, o_proj_weight.T)
