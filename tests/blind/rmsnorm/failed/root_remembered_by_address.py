"""Wrong: without gradients the root mean square is remembered by address, shape and strides of x; the same tensor with new numbers gets the old one."""

import torch
from torch import Tensor


_roots = {}


def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=-1, keepdim=True)
    rms = torch.sqrt(mean_square + eps)
    if not x.requires_grad:
        key = (x.data_ptr(), x.shape, x.stride(), x.dtype, eps)
        rms = _roots.setdefault(key, (rms, x))[0]
    return (wide / rms * weight).to(x.dtype)
