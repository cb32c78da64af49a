"""Multi-head attention with a small dataclass for the weights and an additive mask of minus infinities."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Projections:
    query: Tensor
    key: Tensor
    value: Tensor
    out: Tensor
    heads: int

    def to_heads(self, x: Tensor, w: Tensor) -> Tensor:
        y = torch.matmul(x, w.transpose(0, 1))
        return y.reshape(*y.shape[:2], self.heads, -1).swapaxes(1, 2)


def _additive(mask: Tensor, like: Tensor) -> Tensor:
    n, _, lq, lk = like.shape
    bias = torch.zeros(n, lq, lk, dtype=like.dtype, device=like.device)
    bias = bias.masked_fill(mask.to(torch.bool), float("-inf"))
    return bias[:, None, :, :]


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"{num_heads} heads do not divide {d_model}")
    p = Projections(*in_proj_weight.tensor_split(3, dim=0), out_proj_weight, num_heads)
    Q, K, V = p.to_heads(q, p.query), p.to_heads(k, p.key), p.to_heads(v, p.value)
    scores = torch.matmul(Q, K.transpose(2, 3)) / d_head**0.5
    if mask is not None:
        scores = scores + _additive(mask, scores)
    y = torch.matmul(torch.softmax(scores, -1), V)
    return torch.matmul(y.swapaxes(1, 2).reshape(y.shape[0], y.shape[2], d_model), p.out.transpose(0, 1))
