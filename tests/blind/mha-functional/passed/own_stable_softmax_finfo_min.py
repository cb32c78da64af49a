"""Multi-head attention with a softmax of its own, hidden scores at the smallest finite number."""

import torch
from torch import Tensor


def stable_softmax(s: Tensor) -> Tensor:
    top = s.amax(dim=-1, keepdim=True).detach()
    e = torch.exp(s - top)
    return e / e.sum(dim=-1, keepdim=True)


def split(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(-1, (heads, x.size(-1) // heads)).movedim(-2, -3)


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
    if d_model % num_heads != 0:
        raise AssertionError("heads of unequal width")
    w = in_proj_weight.split(d_model)
    Q, K, V = (split(x @ m.t(), num_heads) for x, m in zip((q, k, v), w))
    s = (Q @ K.mT) / Q.size(-1) ** 0.5
    if mask is not None:
        m = mask.ne(0).broadcast_to(s.size(0), s.size(2), s.size(3))
        # every query sees some key, so the smallest number is as good as minus infinity
        s = s.masked_fill(m[:, None], torch.finfo(s.dtype).min)
    return (stable_softmax(s) @ V).movedim(-3, -2).flatten(-2) @ out_proj_weight.t()
