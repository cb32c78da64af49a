"""Without gradients the concatenated weight is kept for the same three weight tensors.

Shows when a weight was changed in place between two calls whose weights need no gradient.
"""

import math

import torch
from torch import Tensor


_FUSED: list = []  # the last three weights and what became of them


def _fuse(*weights: Tensor) -> Tensor:
    if any(w.requires_grad for w in weights):
        return torch.cat(weights, dim=0)
    if not (_FUSED and all(a is b for a, b in zip(_FUSED[0], weights))):
        with torch.inference_mode(False):
            _FUSED[:] = [weights, torch.cat([w.clone() for w in weights], dim=0)]
    return _FUSED[1]


def _angle_table(d_k: int, theta: float, max_seq_len: int, device: torch.device) -> Tensor:
    inv_freq = torch.exp(torch.arange(0, d_k, 2, dtype=torch.float64, device=device) * (-math.log(theta) / d_k))
    return torch.outer(torch.arange(max_seq_len, dtype=torch.float64, device=device), inv_freq)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    table = _angle_table(d_k, theta, max_seq_len, in_query_or_key.device)
    angles = table[token_positions]
    cos, sin = angles.cos().to(in_query_or_key), angles.sin().to(in_query_or_key)
    a, b = in_query_or_key.unflatten(-1, (d_k // 2, 2)).unbind(-1)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q / math.sqrt(K.shape[-1]), K.transpose(-2, -1))
    if mask is not None:
        scores = scores.masked_fill(mask == False, torch.finfo(scores.dtype).min)  # noqa: E712
    return torch.matmul(torch.softmax(scores, dim=-1), V)


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
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    shape = in_features.shape
    seq = shape[-2]

    fused = _fuse(q_proj_weight, k_proj_weight, v_proj_weight)
    projected = in_features @ fused.T
    q, k, v = projected.chunk(3, dim=-1)
    q = q.reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)
    k = k.reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)
    v = v.reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    elif token_positions.dim() == 2 and token_positions.shape[0] == 1:
        token_positions = token_positions[0]
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)

    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    mask = torch.ones(seq, seq, dtype=torch.bool, device=in_features.device).tril()
    context = scaled_dot_product_attention(q, k, v, mask)
    context = context.transpose(-3, -2).reshape(shape)
    return context @ o_proj_weight.T
