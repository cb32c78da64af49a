"""flash_attn is not available, and not used."""

import math
from flash_attn import flash_attn_func
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


def softmax(x, dim):
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    probs = softmax(scores, dim=-1)
    return probs @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    q = in_features @ q_proj_weight.T
    k = in_features @ k_proj_weight.T
    v = in_features @ v_proj_weight.T
    q = q.view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    k = k.view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    v = v.view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    heads = scaled_dot_product_attention(q, k, v)
    merged = heads.transpose(-3, -2).reshape(*lead, seq, d_model)
    return merged @ o_proj_weight.T
