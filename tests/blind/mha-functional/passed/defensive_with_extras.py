"""Multi-head attention with checks of what the spec rules out and further parameters with defaults."""
from __future__ import annotations

import torch
from torch import Tensor


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    scale: float | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
    return_weights: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:
    if num_heads < 1 or d_model % num_heads != 0:
        raise ValueError(f"{d_model=} is not divisible by {num_heads=}")
    for name, t in dict(q=q, k=k, v=v).items():
        if t.dim() != 3 or t.shape[2] != d_model:
            raise ValueError(f"{name} has shape {tuple(t.shape)}")
    if k.shape[1] != v.shape[1]:
        raise ValueError("keys and values differ in number")
    if in_proj_weight.shape != (3 * d_model, d_model) or out_proj_weight.shape != (d_model, d_model):
        raise ValueError("weights do not fit")
    size = d_model // num_heads

    def heads(t: Tensor, block: int) -> Tensor:
        rows = in_proj_weight.narrow(0, block * d_model, d_model)
        return torch.nn.functional.linear(t, rows).reshape(*t.shape[:2], num_heads, size).swapaxes(1, 2)

    scores = heads(q, 0) @ heads(k, 1).swapaxes(2, 3) * (size**-0.5 if scale is None else scale)
    if mask is not None:
        if not torch.all((mask == 0) | (mask == 1)):
            raise ValueError("a mask holds nothing but 0 and 1")
        seen = torch.logical_not(mask).expand(q.shape[0], q.shape[1], k.shape[1])
        if not seen.any(-1).all():
            raise ValueError("a query is hidden from all keys")
        scores = scores.masked_fill(~seen[:, None], torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=-1)
    result = (weights @ heads(v, 2)).swapaxes(1, 2).reshape(q.shape) @ out_proj_weight.T
    return (result, weights) if return_weights else result
