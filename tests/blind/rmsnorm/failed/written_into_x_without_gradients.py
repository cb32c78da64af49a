"""Wrong: where no gradients are recorded, x itself is divided in place and is returned if the dtype allows."""

import torch
from torch import Tensor


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps)
    if not torch.is_grad_enabled() and x.dtype in (torch.float32, torch.float64) and 0 not in x.stride():
        return x.div_(rms).mul_(weight)
    return (wide / rms * weight).to(x.dtype)
