"""Wrong: the root mean square is detached, as if it did not depend on x, so the gradient of x lacks its second term; values are right."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps).detach()
    return (wide / rms * weight).to(x.dtype)
