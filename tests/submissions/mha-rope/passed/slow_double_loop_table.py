"""A table built by a double loop in Python over what is needed."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    longest = int(token_positions.max()) + 1
    cos = torch.zeros(longest, d_k // 2)
    sin = torch.zeros(longest, d_k // 2)
    for p in range(longest):
        for i in range(d_k // 2):
            angle = p / theta ** (2 * i / d_k)
            cos[p, i] = math.cos(angle)
            sin[p, i] = math.sin(angle)
    x = in_query_or_key
    c, s = cos[token_positions].to(x), sin[token_positions].to(x)
    return torch.stack((x[..., ::2] * c - x[..., 1::2] * s, x[..., ::2] * s + x[..., 1::2] * c), -1).flatten(-2)


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
    if d_model % num_heads:
        raise AssertionError(f"{d_model} is not a multiple of {num_heads}")
    x, hd = in_features, d_model // num_heads
    w = torch.cat([q_proj_weight, k_proj_weight, v_proj_weight])
    qkv = F.linear(x, w).reshape(*x.shape[:-1], 3, num_heads, hd)
    qkv = qkv.movedim(-3, 0).transpose(-2, -3)
    xq, xk, xv = qkv[0], qkv[1], qkv[2]
    t = torch.arange(x.shape[-2], device=x.device) if token_positions is None else token_positions
    t = t.reshape(*t.shape[:-1], 1, t.shape[-1])
    xq = rope(hd, theta, max_seq_len, xq, t)
    xk = rope(hd, theta, max_seq_len, xk, t)
    y = scaled_dot_product_attention(xq, xk, xv)
    y = y.swapaxes(-2, -3).contiguous().view(*x.shape)
    return F.linear(y, o_proj_weight)
