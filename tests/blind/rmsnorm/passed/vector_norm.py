"""RMSNorm by way of the Euclidean length."""

import math

import torch
from torch import Tensor


def _length(x: Tensor) -> Tensor:
    return torch.linalg.vector_norm(x, dim=-1, keepdim=True)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    d_model = x.shape[-1]
    assert weight.shape == (d_model,), "one weight per feature"
    wide = x if x.dtype == torch.float64 else x.to(torch.float32)
    rms = ((_length(wide) / math.sqrt(d_model)).square() + eps).sqrt()
    out = wide.div(rms).mul(weight.to(wide.dtype))
    return out.to(x.dtype)
