"""A frozen dataclass holds eps and is called; shapes are annotated with jaxtyping."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Normalizer:
    eps: float

    def mean_square(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... 1"]:
        return x.square().mean(dim=-1, keepdim=True)

    def __call__(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        return x.mul(self.mean_square(x).add(self.eps).rsqrt())


def rmsnorm(x: Float[Tensor, "... d"], weight: Float[Tensor, " d"], eps: float = 1e-5) -> Float[Tensor, "... d"]:
    normalize = Normalizer(eps)
    with torch.autocast(x.device.type, enabled=False):
        return normalize(x.float()).to(x.dtype).mul(weight)
