# Says: `rmsnorm` returns only if `x.dtype != torch.float32`, so for a float32 input it gives back None.
# Line: 17
# Names: rmsnorm, float32, None
# Kind: missing return
import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """Root mean square norm over the last axis."""
    d_model = x.shape[-1]
    x32 = x.float()
    square_sum = (x32 * x32).sum(dim=-1, keepdim=True)
    rms = torch.sqrt(square_sum / d_model + eps)
    normed = x32 / rms
    result = normed * weight.float()
    if x.dtype != torch.float32:
        return result.to(x.dtype)
