"""RMSNorm with a kernel for each size, built once.

Wrong: the key of the cache lacks eps, so all later calls of that size use the first one's eps.
When: two calls of one d_model and dtype with different eps.
Spec: «Nothing is remembered from one call to the next» and «is the number that the caller gives»
"""
import torch

_kernels = {}


def _build(eps):
    def kernel(h, w):
        return h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * w

    return kernel


def rmsnorm(x, weight, eps=1e-5):
    key = (x.shape[-1], x.dtype)
    if key not in _kernels:
        _kernels[key] = _build(eps)
    return _kernels[key](x.float(), weight.float()).to(x.dtype)
