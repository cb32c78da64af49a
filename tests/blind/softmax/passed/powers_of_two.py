"""A right softmax in powers of two: exp(z) is 2 to the z log2(e), computed in float64 and cast back."""
import math

import torch

LOG2_E = math.log2(math.e)


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    wide = x.to(torch.float64)
    top, _ = wide.detach().max(dim=dim, keepdim=True)
    powers = torch.exp2((wide - top) * LOG2_E)
    shares = powers / torch.sum(powers, dim=dim, keepdim=True)
    return shares.to(x.dtype)
