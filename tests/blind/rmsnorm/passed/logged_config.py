"""A right answer of the seventh corpus."""
import logging
from dataclasses import dataclass

import torch
from torch import Tensor

log = logging.getLogger(__name__)
HALF = {torch.float16, torch.bfloat16}


@dataclass(frozen=True)
class NormConfig:
    eps: float = 1e-5
    axis: int = -1

    def __call__(self, x: Tensor, weight: Tensor) -> Tensor:
        if weight.shape != x.shape[self.axis :]:
            raise ValueError(f"weight has shape {tuple(weight.shape)}, x has {tuple(x.shape)}")
        work = x.to(torch.float32) if x.dtype in HALF else x
        second_moment = work.square().mean(dim=self.axis, keepdim=True)
        log.debug("second moment %s", second_moment.shape)
        normed = work / (second_moment + self.eps).sqrt()
        return normed.to(x.dtype).mul(weight)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    out = NormConfig(eps=eps)(x, weight)
    assert out.shape == x.shape, (out.shape, x.shape)
    assert out.dtype == x.dtype
    return out
