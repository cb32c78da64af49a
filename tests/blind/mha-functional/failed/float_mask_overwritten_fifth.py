"""Wrong: a float mask is turned into the bias in place, so the caller's ones become minus infinity."""
from __future__ import annotations

import torch
from torch import Tensor

Shape = tuple[int, int, int]


def _bias(mask: Tensor | None, shape: Shape, heads: int, like: Tensor) -> Tensor:
    bias = like.new_zeros(shape)
    if mask is not None:
        hidden = mask > 0
        if mask.dtype == like.dtype:
            mask.masked_fill_(hidden, float("-inf"))
        bias.masked_fill_(hidden, float("-inf"))
    return torch.stack([bias] * heads, dim=1).flatten(0, 1)


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"{num_heads} heads do not fit into {d_model} features")
    projected = [x @ w.mT for x, w in zip((q, k, v), in_proj_weight.split(d_model))]
    Q, K, V = (p.unflatten(-1, (num_heads, d_head)).transpose(1, 2).flatten(0, 1) for p in projected)
    n, a, b = q.shape[0], q.shape[1], k.shape[1]
    scores = torch.baddbmm(_bias(mask, (n, a, b), num_heads, Q), Q, K.mT, alpha=1 / d_head**0.5)
    out = scores.softmax(dim=-1).bmm(V)
    return out.unflatten(0, (n, num_heads)).transpose(1, 2).flatten(2) @ out_proj_weight.mT
