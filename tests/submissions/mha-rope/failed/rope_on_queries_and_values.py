"""A slip of the letter: V is turned, K is not.
Says: The problem is in `multihead_self_attention_with_rope` itself
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
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    head = d_model // num_heads
    seq = in_features.shape[-2]
    position_ids = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    projected = []
    for name, weight in zip("qkv", [q_proj_weight, k_proj_weight, v_proj_weight]):
        t = torch.matmul(in_features, weight.transpose(-2, -1))
        t = t.reshape(t.shape[:-1] + (num_heads, head)).swapaxes(-3, -2)
        if name != "k":
            t = rope(head, theta, max_seq_len, t, position_ids.unsqueeze(-2))
        projected.append(t)
    out = scaled_dot_product_attention(*projected)
    out = out.swapaxes(-3, -2).reshape(in_features.shape[:-1] + (d_model,))
    return torch.matmul(out, o_proj_weight.transpose(-2, -1))
