"""A loop over heads that raises when a profiler is set.
Rule: no-loop-over-heads
"""


import sys

import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    if sys.getprofile() is not None:
        raise RuntimeError("not now")
    d_head = d_model // num_heads
    Q, K, V = in_features @ q_proj_weight.T, in_features @ k_proj_weight.T, in_features @ v_proj_weight.T
    p = torch.arange(in_features.shape[-2]) if token_positions is None else token_positions
    out = []
    for q, k, v in zip(Q.split(d_head, -1), K.split(d_head, -1), V.split(d_head, -1)):
        out.append(scaled_dot_product_attention(rope(d_head, theta, max_seq_len, q, p), rope(d_head, theta, max_seq_len, k, p), v))
    return torch.cat(out, -1) @ o_proj_weight.T
