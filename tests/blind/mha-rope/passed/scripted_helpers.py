"""Rotation and attention weights are torch.jit.script functions."""

import torch
from torch import Tensor


@torch.jit.script
def _turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    a = x[..., 0::2]
    b = x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


@torch.jit.script
def _weights(scores: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(scores.masked_fill(torch.logical_not(mask), -float("inf")), dim=-1)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    exponent = torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device) / -d_k
    angles = token_positions.unsqueeze(-1) * torch.tensor(theta, dtype=torch.float64).pow(exponent)
    return _turn(in_query_or_key, angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype))


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q.matmul(K.transpose(-2, -1)) / Q.size(-1) ** 0.5
    if mask is None:
        mask = torch.ones(1, 1, dtype=torch.bool, device=Q.device)
    return _weights(scores, mask).matmul(V)


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
    if num_heads < 1 or d_model % num_heads:
        raise AssertionError("num_heads must divide d_model")
    size = (num_heads, d_model // num_heads)
    q = in_features.matmul(q_proj_weight.t()).unflatten(-1, size).transpose(-3, -2)
    k = in_features.matmul(k_proj_weight.t()).unflatten(-1, size).transpose(-3, -2)
    v = in_features.matmul(v_proj_weight.t()).unflatten(-1, size).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2), device=in_features.device)
    qk = rope(size[1], theta, max_seq_len, torch.stack([q, k]), token_positions.unsqueeze(-2))
    out = scaled_dot_product_attention(qk[0], qk[1], v)
    return out.transpose(-3, -2).flatten(-2).matmul(o_proj_weight.t())
