"""One maximum for each head: rows far below it become 0/0."""

import torch
from torch import Tensor


class _Heads:
    """Cuts features into heads and puts them together again."""

    def __init__(self, num_heads: int, d_model: int) -> None:
        if d_model % num_heads:
            raise ValueError(f"{d_model} % {num_heads} != 0")
        self.h = num_heads
        self.d = d_model // num_heads

    def cut(self, x: Tensor) -> Tensor:
        n, length, _ = x.shape
        return x.reshape(n, length, self.h, self.d).permute(0, 2, 1, 3)

    def join(self, x: Tensor) -> Tensor:
        n, _, length, _ = x.shape
        return x.permute(0, 2, 1, 3).reshape(n, length, self.h * self.d)


def _stable_softmax(x: Tensor) -> Tensor:
    e = torch.exp(x - x.amax(dim=(-2, -1), keepdim=True))
    return e / e.sum(-1, keepdim=True)


def _apply_mask(scores: Tensor, mask: Tensor) -> Tensor:
    hidden = mask.bool()
    if hidden.ndim == 3:
        hidden = hidden[:, None, :, :]
    return torch.where(hidden, torch.full_like(scores, -torch.inf), scores)


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
    heads = _Heads(num_heads, d_model)
    wq, wk, wv = in_proj_weight.chunk(3, dim=0)
    qh, kh, vh = heads.cut(q @ wq.T), heads.cut(k @ wk.T), heads.cut(v @ wv.T)
    scores = (qh @ kh.transpose(2, 3)) * heads.d**-0.5
    if mask is not None:
        scores = _apply_mask(scores, mask)
    return heads.join(_stable_softmax(scores) @ vh) @ out_proj_weight.T
