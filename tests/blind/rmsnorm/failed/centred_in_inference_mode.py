"""Takes the mean off in inference mode.

Idea: Under inference_mode the mean is taken off first.
Where: only under inference_mode
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    if torch.is_inference_mode_enabled():
        h = h - h.mean(-1, keepdim=True)
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
