"""Q and K swapped, features dealt (d h).
Diagnosis: qk-swapped
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


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scale = 1.0 / np.sqrt(Q.shape[-1])
    att = einsum(Q, K, "... q d, ... k d -> ... q k") * scale
    if mask is not None:
        att = att.masked_fill(mask == False, -1e9)
    w = torch.softmax(att, dim=-1)
    return einsum(w, V, "... q k, ... k v -> ... q v")


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "heads must divide the model"
    d_head = d_model // num_heads
    Q = einsum(in_features, k_proj_weight, "... s i, o i -> ... s o")
    K = einsum(in_features, q_proj_weight, "... s i, o i -> ... s o")
    V = einsum(in_features, v_proj_weight, "... s i, o i -> ... s o")
    Q = rearrange(Q, "... s (d h) -> ... h s d", h=num_heads)
    K = rearrange(K, "... s (d h) -> ... h s d", h=num_heads)
    V = rearrange(V, "... s (d h) -> ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    out = rearrange(out, "... h s d -> ... s (d h)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
