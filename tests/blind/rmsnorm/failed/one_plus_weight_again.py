"""RMSNorm in the manner of Gemma.

Idea: The weight is taken as an offset from one: multiplied by 1 + weight.
Where: everywhere
"""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide: Tensor = x.to(torch.promote_types(x.dtype, torch.float32))
    normed: Tensor = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
    return (normed * (1.0 + weight.to(wide.dtype))).to(x.dtype)
