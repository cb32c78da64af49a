"""Right: the keys are read in blocks, with a running maximum and a running sum, as a fused kernel does it."""
from typing import Iterator, NamedTuple, Optional

import torch
from torch import Tensor

BLOCK = 2


class Running(NamedTuple):
    top: Tensor
    total: Tensor
    weighted: Tensor

    def take(self, scores: Tensor, values: Tensor) -> "Running":
        top = torch.maximum(self.top, scores.detach().amax(-1, keepdim=True))
        old, new = torch.exp(self.top - top), torch.exp(scores - top)
        return Running(top, self.total * old + new.sum(-1, keepdim=True), self.weighted * old + new @ values)


def _slices(length: int) -> Iterator[slice]:
    for start in range(0, length, BLOCK):
        yield slice(start, start + BLOCK)


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Optional[Tensor] = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError("num_heads does not divide d_model")
    n, lq, lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    w = in_proj_weight.view(3, d_model, d_model) if in_proj_weight.is_contiguous() else in_proj_weight.reshape(3, d_model, d_model)
    Q, K, V = ((x @ w[i].T).reshape(n, -1, num_heads, dh).transpose(1, 2) for i, x in enumerate((q, k, v)))
    hidden = torch.zeros(n, lq, lk, dtype=torch.bool, device=q.device) if mask is None else mask.bool().expand(n, lq, lk)
    smallest = torch.finfo(Q.dtype).min
    state = Running(Q.new_full((n, num_heads, lq, 1), smallest), Q.new_zeros((n, num_heads, lq, 1)), torch.zeros_like(Q))
    for part in _slices(lk):
        scores = (Q / dh**0.5) @ K[:, :, part].transpose(-2, -1)
        scores = scores.masked_fill(hidden[:, None, :, part], float("-inf"))
        state = state.take(scores, V[:, :, part])
    return (state.weighted / state.total).transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
