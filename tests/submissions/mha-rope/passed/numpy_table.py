"""The table comes from numpy."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


class RotaryTable(nn.Module):
    def __init__(self, theta, d_k, max_seq_len, device=None):
        super().__init__()
        ang = torch.from_numpy(np.outer(np.arange(max_seq_len), theta ** (-np.arange(0, d_k, 2) / d_k)).astype(np.float32))
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
    if not d_model % num_heads == 0:
        raise ValueError("bad number of heads")
    d_h = d_model // num_heads
    wq = q_proj_weight.view(num_heads, d_h, d_model)
    wk = k_proj_weight.view(num_heads, d_h, d_model)
    wv = v_proj_weight.view(num_heads, d_h, d_model)
    wo = o_proj_weight.view(d_model, num_heads, d_h)
    q = torch.einsum("...sm,hdm->...hsd", in_features, wq)
    k = torch.einsum("...sm,hdm->...hsd", in_features, wk)
    v = torch.einsum("...sm,hdm->...hsd", in_features, wv)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    where = torch.unsqueeze(token_positions, -2)
    q, k = rope(d_h, theta, max_seq_len, q, where), rope(d_h, theta, max_seq_len, k, where)
    z = scaled_dot_product_attention(q, k, v)
    return torch.einsum("...hsd,mhd->...sm", z, wo)
