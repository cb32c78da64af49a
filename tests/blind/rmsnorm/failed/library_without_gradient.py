"""By hand where a gradient is asked for, the library otherwise.

Idea: The library's RMSNorm is used wherever no gradient is recorded.
Where: only when no gradient is recorded
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    if torch.is_grad_enabled() and (x.requires_grad or weight.requires_grad):
        h = x.to(torch.promote_types(x.dtype, torch.float32))
        return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
    return torch.nn.functional.rms_norm(x, weight.shape, weight, eps)
