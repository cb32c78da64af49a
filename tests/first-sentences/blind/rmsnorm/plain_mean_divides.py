# Says: `rms = x32.mean(dim=-1, keepdim=True) + eps` is the mean of the values and not the root mean square: square first, then mean, then root.
# Line: 12
# Names: mean, square, root
# Kind: wrong idea
import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """Root mean square norm over the last axis."""
    x32 = x.float()
    rms = x32.mean(dim=-1, keepdim=True) + eps
    normed = x32 / rms
    result = normed * weight.float()
    return result.to(x.dtype)
