"""RMSNorm with an eps that suits the dtype.

Wrong: eps is never below finfo(x.dtype).eps, which is 1e-3 for float16.
When: half precision and small vectors.
Spec: «`eps` stands under the root, and is the number that the caller gives»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    eps = max(eps, torch.finfo(x.dtype).eps)
    h = x.float()
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight.float()).to(x.dtype)
