"""A buffer of the same shape is reused from the last call, so the last result changes under the caller's hands."""
import torch

_buffers = {}


def rmsnorm(x, weight, eps=1e-5):
    z = x.float()
    r = torch.rsqrt(z.square().mean(-1, keepdim=True) + eps)
    if torch.is_grad_enabled() and (x.requires_grad or weight.requires_grad):
        return (z * r * weight.float()).to(x.dtype)
    key = (x.shape, x.dtype)
    if key not in _buffers:
        _buffers[key] = torch.empty(x.shape, dtype=x.dtype)
    return _buffers[key].copy_(z * r * weight.float())
