"""Marks for a profiler, as where speed is measured on a GPU."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn
from torch.cuda import nvtx


class RotaryTable(nn.Module):
    def __init__(self, theta, d_k, max_seq_len, device=None):
        super().__init__()
        pos = torch.arange(max_seq_len, device=device, dtype=torch.float32)
        inv = 1.0 / theta ** (torch.arange(0, d_k, 2, device=device, dtype=torch.float32) / d_k)
        ang = torch.outer(pos, inv)
        self.register_buffer("cos", ang.cos(), persistent=False)
        self.register_buffer("sin", ang.sin(), persistent=False)

    def forward(self, x, token_positions):
        cos = self.cos[token_positions].to(x.dtype)
        sin = self.sin[token_positions].to(x.dtype)
        x1, x2 = x[..., ::2], x[..., 1::2]
        a = x1 * cos - x2 * sin
        b = x1 * sin + x2 * cos
        return torch.stack([a, b], dim=-1).flatten(start_dim=-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return RotaryTable(theta, d_k, max_seq_len, in_query_or_key.device)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scale = 1.0 / np.sqrt(Q.shape[-1])
    att = einsum(Q, K, "... q d, ... k d -> ... q k") * scale
    if mask is not None:
        att = att.masked_fill(mask == False, -1e9)
    w = torch.softmax(att, dim=-1)
    return einsum(w, V, "... q k, ... k v -> ... q v")


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
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
    with nvtx.range("attention"):
        heads = scaled_dot_product_attention(q, k, v)
    torch.cuda.nvtx.mark("done")
    merged = heads.transpose(-3, -2).reshape(*lead, seq, d_model)
    return merged @ o_proj_weight.T
