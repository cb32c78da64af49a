"""RMSNorm, with the habit of LayerNorm kept.

Wrong: the mean of the vector is taken off before the squares.
When: every call with d_model > 1.
Spec: «No mean is taken off, and there is no bias.»
"""
import torch
from torch import Tensor


def _standardise(h: Tensor, eps: float) -> Tensor:
    h = h - h.mean(dim=-1, keepdim=True)
    return h * torch.rsqrt(h.square().mean(dim=-1, keepdim=True) + eps)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    return (_standardise(x.float(), eps) * weight.float()).type_as(x)
