"""Values are rotated too.
Diagnosis: rope-on-v
"""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    k = torch.arange(0, d_k // 2, device=x.device, dtype=torch.float32)
    inv_freq = theta ** (-2 * k / d_k)
    pos = token_positions.to(torch.float32)
    angles = pos.unsqueeze(-1) * inv_freq
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    even = x[..., 0::2]
    odd = x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    out = torch.empty_like(x)
    out[..., 0::2] = new_even
    out[..., 1::2] = new_odd
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K)
    logits = logits * K.size(-1) ** -0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
    attn = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", attn, V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads:
        raise AssertionError(f"{d_model} is not a multiple of {num_heads}")
    x, hd = in_features, d_model // num_heads
    w = torch.cat([q_proj_weight, k_proj_weight, v_proj_weight])
    qkv = F.linear(x, w).reshape(*x.shape[:-1], 3, num_heads, hd)
    qkv = qkv.movedim(-3, 0).transpose(-2, -3)
    xq, xk, xv = qkv[0], qkv[1], qkv[2]
    t = torch.arange(x.shape[-2], device=x.device) if token_positions is None else token_positions
    t = t.reshape(*t.shape[:-1], 1, t.shape[-1])
    xq, xk, xv = rope(hd, theta, max_seq_len, qkv, t)
    y = scaled_dot_product_attention(xq, xk, xv)
    y = y.swapaxes(-2, -3).contiguous().view(*x.shape)
    return F.linear(y, o_proj_weight)
