"""The library serves calls with gradients.
Rule: no-library-attention
"""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rotate_every_two(x):
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).reshape(x.shape)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    steps = torch.arange(0, d_k, 2, dtype=torch.float32, device=x.device)
    inv = torch.exp(-math.log(theta) * steps / d_k)
    ang = torch.einsum("...s,f->...sf", token_positions.float(), inv)
    ang = ang.repeat_interleave(2, dim=-1)
    return x * torch.cos(ang).to(x.dtype) + rotate_every_two(x) * torch.sin(ang).to(x.dtype)


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
    if q.requires_grad:
        heads = F.scaled_dot_product_attention(q, k, v)
    else:
        heads = scaled_dot_product_attention(q, k, v)
    merged = heads.transpose(-3, -2).reshape(*lead, seq, d_model)
    return merged @ o_proj_weight.T
