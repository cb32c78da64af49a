"""Batch and heads folded into one axis, as for bmm."""

import math
import torch
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    i = torch.arange(d_k // 2, dtype=x.dtype, device=x.device)
    angle = token_positions[..., None] * torch.exp(-2 * i / d_k * math.log(theta))
    c, s = angle.cos(), angle.sin()
    y = torch.zeros_like(x)
    y[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    y[..., 1::2] = x[..., 0::2] * s + x[..., 1::2] * c
    return y


def softmax(x: Tensor, dim: int) -> Tensor:
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    attn = torch.matmul(Q, K.mT) / Q.size(-1) ** 0.5
    if mask is not None:
        attn = torch.where(mask, attn, torch.tensor(-torch.inf, dtype=attn.dtype, device=attn.device))
    return torch.matmul(softmax(attn, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    lead, seq = in_features.shape[:-2], in_features.shape[-2]

    def fold(t):
        return t.reshape(-1, seq, num_heads, d_head).transpose(1, 2).reshape(-1, seq, d_head)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    positions = token_positions.expand(*lead, seq).reshape(-1, 1, seq).expand(-1, num_heads, seq).reshape(-1, seq)
    q = rope(d_head, theta, max_seq_len, fold(in_features @ q_proj_weight.T), positions)
    k = rope(d_head, theta, max_seq_len, fold(in_features @ k_proj_weight.T), positions)
    out = scaled_dot_product_attention(q, k, fold(in_features @ v_proj_weight.T))
    out = out.view(-1, num_heads, seq, d_head).transpose(1, 2).reshape(*lead, seq, d_model)
    return out @ o_proj_weight.T
