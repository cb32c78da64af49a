"""Wrong: float16 and bfloat16 are widened to float32 and the result is not cast back, so it has the wrong dtype; the numbers are right."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps)
    return wide / rms * weight
