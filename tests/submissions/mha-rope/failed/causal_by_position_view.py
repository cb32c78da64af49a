"""A causal mask by token_positions.
Diagnosis: causal-mask
"""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rotation_table(d_k, theta, max_seq_len, device):
    pos = torch.arange(max_seq_len, device=device).float()
    i = torch.arange(d_k // 2, device=device).float()
    ang = pos[:, None] / (theta ** (2 * i / d_k))[None, :]
    c, s = torch.cos(ang), torch.sin(ang)
    row0 = torch.stack((c, -s), dim=-1)
    row1 = torch.stack((s, c), dim=-1)
    return torch.stack((row0, row1), dim=-2)  # (max_seq_len, d_k/2, 2, 2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    table = rotation_table(d_k, theta, max_seq_len, in_query_or_key.device).to(in_query_or_key.dtype)
    rot = table[token_positions]
    pairs = in_query_or_key.unflatten(-1, (d_k // 2, 2))
    return torch.einsum("...pij,...pj->...pi", rot, pairs).flatten(-2)


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
    heads = scaled_dot_product_attention(q, k, v, pos[..., :, None] >= pos[..., None, :])
    merged = heads.transpose(-3, -2).reshape(*lead, seq, d_model)
    return merged @ o_proj_weight.T
