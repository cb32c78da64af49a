"""Rotation of single heads hidden in nn.Module tables built from Python floats, cached on the module."""

import torch
import torch.nn.functional as F
from torch import nn
from torch import Tensor


_modules = {}


class Rope(nn.Module):
    def __init__(self, d_k, theta, max_seq_len):
        super().__init__()
        rows = [[m * theta ** (-2 * k / d_k) for k in range(d_k // 2)] for m in range(max_seq_len)]
        self.register_buffer("angles", torch.tensor(rows, dtype=torch.float64))

    def forward(self, x, p):
        a = self.angles[p]
        c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
        return torch.stack([x[..., ::2] * c - x[..., 1::2] * s, x[..., ::2] * s + x[..., 1::2] * c], -1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    module = _modules.setdefault((d_k, theta, max_seq_len), Rope(d_k, theta, max_seq_len))
    return module(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K) * (Q.shape[-1] ** -0.5)
    if mask is not None:
        logits = logits.masked_fill(~mask, -torch.inf)
    probs = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", probs, V)


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    qkv = [F.linear(in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    q, k, v = [t.unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for t in qkv]
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    pos = pos.expand(*lead, seq).unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    heads = scaled_dot_product_attention(q, k, v)
    return F.linear(heads.transpose(-3, -2).flatten(-2), o_proj_weight)
