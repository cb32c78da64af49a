"""Blocks of 16 queries; what is left over of a longer sequence is forgotten.
Says: failing tests stop there
"""

import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k))
    angles = token_positions.unsqueeze(-1).to(inv_freq.dtype) * inv_freq
    cos, sin = angles.cos(), angles.sin()
    even, odd = x[..., ::2], x[..., 1::2]
    out_even = even * cos - odd * sin
    out_odd = even * sin + odd * cos
    return torch.stack((out_even, out_odd), dim=-1).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Attend in blocks of queries to bound the memory."""
    block = 16
    outs = []
    for start in range(0, Q.shape[-2] // block * block or 1, block):
        q = Q[..., start : start + block, :]
        s = q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            m = mask if mask.ndim < 2 or mask.shape[-2] == 1 else mask[..., start : start + block, :]
            s = s.masked_fill(~m, -torch.inf)
        outs.append(s.softmax(dim=-1) @ V)
    return torch.cat(outs, dim=-2)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    q = in_features @ q_proj_weight.T
    k = in_features @ k_proj_weight.T
    v = in_features @ v_proj_weight.T
    q = q.view(*batch, seq, num_heads, d_head).transpose(-3, -2)
    k = k.view(*batch, seq, num_heads, d_head).transpose(-3, -2)
    v = v.view(*batch, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    out = scaled_dot_product_attention(q, k, v)
    out = out.transpose(-3, -2).contiguous().view(*batch, seq, d_model)
    return out @ o_proj_weight.T
