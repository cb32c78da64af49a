"""A frozen dataclass with one method for each step of the specification."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Attention:
    num_heads: int
    d_model: int
    in_proj: Tensor
    out_proj: Tensor

    def __post_init__(self) -> None:
        if self.d_model % self.num_heads:
            raise ValueError(f"{self.num_heads} heads cannot share {self.d_model} features")

    @property
    def d_head(self) -> int:
        return self.d_model // self.num_heads

    def project(self, x: Tensor, block: int) -> Tensor:
        rows = self.in_proj[block * self.d_model : (block + 1) * self.d_model]
        return self.split(torch.nn.functional.linear(x, rows))

    def split(self, x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:2], self.num_heads, self.d_head).permute(0, 2, 1, 3)

    def merge(self, x: Tensor) -> Tensor:
        return torch.nn.functional.linear(x.permute(0, 2, 1, 3).flatten(2), self.out_proj)

    def weights(self, queries: Tensor, keys: Tensor, mask: Tensor | None) -> Tensor:
        scores = queries @ keys.transpose(2, 3) / math.sqrt(self.d_head)
        if mask is not None:
            while mask.ndim < 3:
                mask = mask[None]
            scores = scores.masked_fill(mask[:, None].to(torch.bool), -math.inf)
        return torch.softmax(scores, dim=3)

    def __call__(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        return self.merge(self.weights(self.project(q, 0), self.project(k, 1), mask) @ self.project(v, 2))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    return Attention(num_heads, d_model, in_proj_weight, out_proj_weight)(q, k, v, mask)
