# Says: `weight` is never used: the last line `return normed.to(x.dtype)` has to multiply with it.
# Line: 16
# Names: weight, normed
# Kind: wrong idea
import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """Root mean square norm over the last axis."""
    d_model = x.shape[-1]
    x32 = x.float()
    square_sum = (x32 * x32).sum(dim=-1, keepdim=True)
    rms = torch.sqrt(square_sum / d_model + eps)
    normed = x32 / rms
    return normed.to(x.dtype)
