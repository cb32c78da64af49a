"""RMSNorm with jaxtyping, features moved to the front so that they broadcast without keepdim."""

import torch
from jaxtyping import Float
from torch import Tensor


def rmsnorm(x: Float[Tensor, "... d"], weight: Float[Tensor, " d"], eps: float = 1e-5) -> Float[Tensor, "... d"]:
    original = x.dtype
    features = x.movedim(-1, 0).to(torch.float64)
    rms = torch.sqrt((features**2).mean(0) + eps)
    normed = (features / rms).movedim(0, -1)
    return (normed * weight.to(torch.float64)).to(original)
