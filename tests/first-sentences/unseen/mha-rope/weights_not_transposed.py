# Says: The weights are stored (out, in), so `in_features @ q_proj_weight` needs `q_proj_weight.T`, and the same for the other three.
# Line: 34
# Names: q_proj_weight, .T
# Kind: wrong idea
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    angle = token_positions[..., None] * theta ** (-torch.arange(0, d_k, 2, dtype=torch.double) / d_k)
    cos, sin = angle.cos().to(in_query_or_key.dtype), angle.sin().to(in_query_or_key.dtype)
    out = torch.empty(*in_query_or_key.shape, dtype=in_query_or_key.dtype)
    out[..., 0::2] = in_query_or_key[..., 0::2] * cos - in_query_or_key[..., 1::2] * sin
    out[..., 1::2] = in_query_or_key[..., 0::2] * sin + in_query_or_key[..., 1::2] * cos
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = torch.einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.size(-1))
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    return torch.einsum("...ij,...jv->...iv", s.softmax(dim=-1), V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "heads"
    hd = d_model // num_heads
    lead, seq = in_features.shape[:-2], in_features.shape[-2]

    Q = (in_features @ q_proj_weight).reshape(*lead, seq, num_heads, hd).transpose(-3, -2)
    K = (in_features @ k_proj_weight).reshape(*lead, seq, num_heads, hd).transpose(-3, -2)
    V = (in_features @ v_proj_weight).reshape(*lead, seq, num_heads, hd).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)

    Q = rope(hd, theta, max_seq_len, Q, token_positions)
    K = rope(hd, theta, max_seq_len, K, token_positions)
    return scaled_dot_product_attention(Q, K, V).transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight
