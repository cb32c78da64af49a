"""Many tiny annotated functions and a frozen dataclass of sizes."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Sizes:
    heads: int
    d_model: int

    def __post_init__(self) -> None:
        if self.d_model % self.heads:
            raise ValueError(f"{self.heads} heads do not divide {self.d_model} features")

    @property
    def d_head(self) -> int:
        return self.d_model // self.heads


def to_heads(x: Float[Tensor, "n l d"], sizes: Sizes) -> Float[Tensor, "n h l e"]:
    return x.unflatten(-1, (sizes.heads, sizes.d_head)).movedim(2, 1)


def from_heads(x: Float[Tensor, "n h l e"]) -> Float[Tensor, "n l d"]:
    return x.movedim(1, 2).flatten(2, 3)


def hide(scores: Float[Tensor, "n h q k"], mask: Tensor | None) -> Float[Tensor, "n h q k"]:
    if mask is None:
        return scores
    per_head = mask.ne(0).unsqueeze(-3)
    return scores.masked_fill(per_head, -torch.inf)


def attend(
    q: Float[Tensor, "n h q e"], k: Float[Tensor, "n h k e"], v: Float[Tensor, "n h k e"], mask: Tensor | None
) -> Float[Tensor, "n h q e"]:
    scores = hide(q @ k.mT / q.shape[-1] ** 0.5, mask)
    return scores.softmax(-1) @ v


def multi_head_attention(
    q: Float[Tensor, "n q d"],
    k: Float[Tensor, "n k d"],
    v: Float[Tensor, "n k d"],
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Float[Tensor, "three_d d"],
    out_proj_weight: Float[Tensor, "d d"],
) -> Float[Tensor, "n q d"]:
    sizes = Sizes(num_heads, d_model)
    w_q, w_k, w_v = in_proj_weight.tensor_split(3)
    context = attend(to_heads(q @ w_q.T, sizes), to_heads(k @ w_k.T, sizes), to_heads(v @ w_v.T, sizes), mask)
    return from_heads(context) @ out_proj_weight.T
