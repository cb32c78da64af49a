"""In-place steps, but only on tensors that the function made itself."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.promote_types(x.dtype, torch.float32)
    denominator = (x.to(wide) ** 2).mean(dim=-1, keepdim=True)
    denominator.add_(eps)
    denominator = denominator.sqrt()
    out = x.to(wide) / denominator
    out *= weight
    return out.to(x.dtype)
