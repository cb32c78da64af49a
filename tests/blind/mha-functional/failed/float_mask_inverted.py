"""Wrong: a float mask is read the other way round, 1 as 'may see'."""
import math
from functools import cached_property

import torch
from torch import Tensor


class Heads:
    __slots__ = ("t", "width", "__dict__")

    def __init__(self, t: Tensor, width: int):
        self.t = t
        self.width = width

    @classmethod
    def split(cls, x: Tensor, weight: Tensor, n: int) -> "Heads":
        y = torch.tensordot(x, weight, dims=([2], [1]))
        return cls(y.view(*y.shape[:2], n, -1).movedim(2, 1), y.shape[-1] // n)

    @cached_property
    def scale(self) -> float:
        return 1.0 / math.sqrt(self.width)

    def __rshift__(self, keys: "Heads") -> Tensor:
        """queries >> keys: scaled scores."""
        return (self.t * self.scale) @ keys.t.swapaxes(-1, -2)

    def __rmatmul__(self, weights: Tensor) -> Tensor:
        return weights.matmul(self.t)

    def __repr__(self):
        return f"Heads{tuple(self.t.shape)}"


def hide(scores: Tensor, mask) -> Tensor:
    if mask is None:
        return scores
    if mask.is_floating_point():
        mask = 1 - mask
    while mask.ndim < 3:
        mask = mask.unsqueeze(0)
    return scores.masked_fill(mask.unsqueeze(1).ne(0), -math.inf)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise AssertionError("num_heads must divide d_model")
    queries = Heads.split(q, in_proj_weight[0 * d_model : 1 * d_model], num_heads)
    keys = Heads.split(k, in_proj_weight[1 * d_model : 2 * d_model], num_heads)
    values = Heads.split(v, in_proj_weight[2 * d_model : 3 * d_model], num_heads)
    weights = torch.softmax(hide(queries >> keys, mask), dim=-1)
    merged = values.__rmatmul__(weights).movedim(1, 2).reshape(q.shape[0], q.shape[1], d_model)
    return torch.tensordot(merged, out_proj_weight, dims=([2], [1]))
