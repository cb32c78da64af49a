"""RMSNorm with `eps or default`.

Wrong: an eps of zero is replaced with 1e-5.
When: eps = 0 and small vectors.
Spec: «is the number that the caller gives: a float or an int, and may be 0»
"""
import torch
from typing import Optional


def rmsnorm(x: torch.Tensor, weight: torch.Tensor, eps: Optional[float] = 1e-5) -> torch.Tensor:
    eps = eps or 1e-5
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    y = h / (h.pow(2).mean(-1, keepdim=True) + eps).sqrt() * weight
    return y.to(x.dtype)
