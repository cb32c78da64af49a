"""RMSNorm where a constant averaging matrix spreads the mean square to every feature, as in F.linear."""

import torch
import torch.nn.functional as F
from torch import Tensor


def _wide(t: Tensor) -> Tensor:
    return t.to(torch.float64 if t.dtype is torch.float64 else torch.float32)


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5, check: bool = True) -> Tensor:
    n = x.shape[-1]
    if check:
        assert weight.ndim == 1 and weight.numel() == n
        assert eps >= 0
    h, w = _wide(x), _wide(weight)
    averaging = torch.full((n, n), 1.0 / n, dtype=h.dtype, device=h.device)
    mean_square = F.linear(h.square(), averaging)
    scaled = h / mean_square.add(eps).sqrt()
    return scaled.mul(w).to(dtype=x.dtype, device=x.device)
