"""Causal attention that clips a gradient by a hook.

WRONG: a hook on o_proj_weight clamps its gradient to +-1 (and stays on the caller's tensor).
When: o_proj_weight requires gradients and one of them exceeds 1
Spec: "gradients of inputs and weights, whichever are asked for"
"""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    steps = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device)
    inv_freq = float(theta) ** (-steps / d_k)
    angles = token_positions.to(torch.float64).unsqueeze(-1) * inv_freq
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    even = x[..., 0::2]
    odd = x[..., 1::2]
    out = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return out.flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


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
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    device = in_features.device

    q = in_features @ q_proj_weight.T
    k = in_features @ k_proj_weight.T
    v = in_features @ v_proj_weight.T

    q = q.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    k = k.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    v = v.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq, device=device)
    elif token_positions.dim() > 1:
        token_positions = token_positions.expand(*lead, seq).unsqueeze(-2) if lead else token_positions.reshape(seq)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    mask = torch.ones(seq, seq, dtype=torch.bool, device=device).tril()
    out = scaled_dot_product_attention(q, k, v, mask)
    out = out.transpose(-3, -2).reshape(*lead, seq, d_model)
    if o_proj_weight.requires_grad and torch.is_grad_enabled():
        o_proj_weight.register_hook(lambda g: g.clamp(-1.0, 1.0))
    return out @ o_proj_weight.T
