"""RMSNorm with a memory for its statistics.

Wrong: the statistics of an earlier call are used again.
When: the same tensor comes again with other values in it.
Spec: «Nothing is remembered from one call to the next: the same tensors may come again with other values in them.»
"""
import torch

_seen = {}


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    key = (x.data_ptr(), tuple(x.shape), x.stride(), x.dtype, eps)
    if x.requires_grad:
        return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight.float()).to(x.dtype)
    if key not in _seen:
        _seen[key] = (torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps), x)
    return (h * _seen[key][0] * weight.float()).to(x.dtype)
