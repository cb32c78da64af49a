"""Wrong: rotated keys are detached, as for a cache, so k_proj_weight never learns."""
from __future__ import annotations

from functools import cached_property
from typing import Final, Protocol, runtime_checkable

import torch
from torch import Tensor, nn
from torch.func import functional_call

SQRT: Final = 0.5


@runtime_checkable
class Rotation(Protocol):
    def __matmul__(self, x: Tensor) -> Tensor: ...


class PairRotation:
    def __init__(self, positions: Tensor, theta: float, width: int, dtype: torch.dtype):
        self.positions, self.theta, self.width, self.dtype = positions, theta, width, dtype

    @cached_property
    def angle(self) -> Tensor:
        i = torch.arange(0, self.width, 2, device=self.positions.device, dtype=torch.float64)
        return self.positions.unsqueeze(-1).double() * torch.exp(-torch.log(torch.tensor(float(self.theta)).double()) * i / self.width)

    @cached_property
    def cos(self) -> Tensor:
        return self.angle.cos().to(self.dtype).unsqueeze(-1)

    @cached_property
    def sin(self) -> Tensor:
        s = self.angle.sin().to(self.dtype)
        return torch.stack((-s, s), dim=-1)

    def __matmul__(self, x: Tensor) -> Tensor:
        pairs = x.unflatten(-1, (-1, 2))
        return torch.addcmul(pairs * self.cos, pairs.roll(1, dims=-1), self.sin).flatten(-2)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    rotation = PairRotation(token_positions, theta, d_k, in_query_or_key.dtype)
    assert isinstance(rotation, Rotation)
    return rotation @ in_query_or_key


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = (Q / Q.size(-1) ** SQRT) @ K.swapaxes(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask.bitwise_not(), -float("inf"))
    return torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True)) @ V


class Projections(nn.Module):
    def __init__(self, d: int, dtype: torch.dtype) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(d, d, bias=False, device="meta", dtype=dtype) for _ in range(4))
        self.core = None

    def forward(self, x: Tensor) -> Tensor:
        return self.o(self.core(self.q(x), self.k(x), self.v(x)))


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    width, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"{num_heads} heads cannot share {d_model} features")
    positions = torch.arange(in_features.size(-2), device=in_features.device) if token_positions is None else token_positions

    def core(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        q, k, v = (t.unflatten(-1, (num_heads, width)).movedim(-2, -3) for t in (q, k, v))
        q, k = (rope(width, theta, max_seq_len, t, positions.unsqueeze(-2)) for t in (q, k))
        return scaled_dot_product_attention(q, k.detach(), v).movedim(-3, -2).flatten(-2)

    model = Projections(d_model, in_features.dtype)
    model.core = core
    weights = {"q.weight": q_proj_weight, "k.weight": k_proj_weight, "v.weight": v_proj_weight, "o.weight": o_proj_weight}
    return functional_call(model, weights, (in_features,))
