"""Saves memory in inference by dividing in place; .float() of a float32 tensor is the caller's own tensor, not a copy."""
# expect: changes the input in place
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x if x.dtype == torch.float64 else x.float()
    rms = (h.square().mean(-1, keepdim=True) + eps).sqrt()
    if torch.is_grad_enabled():
        h = h / rms
    else:
        h.div_(rms)  # no graph here, so nobody minds
    return (h * weight.to(h.dtype)).to(x.dtype)
