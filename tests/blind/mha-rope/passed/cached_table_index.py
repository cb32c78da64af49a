"""Right: a table of cos and sin for all positions, memoised, and rows taken out by index."""
from functools import lru_cache
from math import sqrt

import torch
import torch.nn.functional as F


@lru_cache(maxsize=32)
def tables(d_k, theta, max_seq_len, dtype, device):
    with torch.no_grad():
        exponent = torch.arange(0, d_k, 2, dtype=torch.float64, device=device) / d_k
        angles = torch.outer(torch.arange(max_seq_len, dtype=torch.float64, device=device), theta**-exponent)
        angles = angles.repeat_interleave(2, dim=-1)
        return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate_pairs(x):
    x1, x2 = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([-x2, x1], dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = tables(d_k, float(theta), max_seq_len, in_query_or_key.dtype, in_query_or_key.device)
    return in_query_or_key * cos[token_positions] + rotate_pairs(in_query_or_key) * sin[token_positions]


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT / sqrt(K.size(-1))
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -torch.inf)
    return F.softmax(s, dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    leading = in_features.shape[:-1]
    qkv = torch.cat([q_proj_weight, k_proj_weight, v_proj_weight])
    q, k, v = F.linear(in_features, qkv).reshape(*leading, 3, num_heads, d_head).movedim(-3, 0).transpose(-3, -2)
    pos = torch.arange(leading[-1], device=in_features.device) if token_positions is None else token_positions
    pos = pos.unsqueeze(-2)
    q, k = (rope(d_head, theta, max_seq_len, t, pos) for t in (q, k))
    return F.linear(scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(*leading, d_model), o_proj_weight)
