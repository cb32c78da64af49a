# Says: `return [float(t) for t in result.flatten()]` makes a list of numbers: return the tensor `result` itself.
# Line: 17
# Names: list, result
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
    result = normed * weight.float()
    return [float(t) for t in result.flatten()]
