"""Multi-head attention over given weights, with einops, in three small functions."""

import torch
from einops import einsum, rearrange
from torch import Tensor


def softmax(x: Tensor) -> Tensor:
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    logits = einsum(q, k, "n h i d, n h j d -> n h i j") * q.size(-1) ** -0.5
    if mask is not None:
        hidden = rearrange(mask, "n i j -> n 1 i j") if mask.ndim == 3 else mask
        logits = torch.where(hidden == 1, -torch.inf, logits)
    return einsum(softmax(logits), v, "n h i j, n h j d -> n h i d")


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
    assert d_model % num_heads == 0, f"{num_heads} heads cannot share {d_model} features"
    w_q, w_k, w_v = rearrange(in_proj_weight, "(three o) i -> three o i", three=3)
    query = rearrange(einsum(q, w_q, "n l i, o i -> n l o"), "n l (h d) -> n h l d", h=num_heads)
    key = rearrange(einsum(k, w_k, "n l i, o i -> n l o"), "n l (h d) -> n h l d", h=num_heads)
    value = rearrange(einsum(v, w_v, "n l i, o i -> n l o"), "n l (h d) -> n h l d", h=num_heads)
    merged = rearrange(attend(query, key, value, mask), "n h l d -> n l (h d)")
    return einsum(merged, out_proj_weight, "n l i, o i -> n l o")
