"""RMSNorm that treats half precision gently.

Wrong: for float16 and bfloat16 the gradient of x is half of what it should be; values are right.
When: half precision, and the gradient of x is asked for.
Spec: «what is asked for: the gradients of `x`, of `weight`, and of both, in every dtype»
"""
import torch


def _widen(x):
    if x.dtype.itemsize >= 4:
        return x
    wide = x.to(torch.float32)
    return 0.5 * (wide + wide.detach())


def rmsnorm(x, weight, eps=1e-5):
    h = _widen(x)
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight.to(h.dtype)).to(x.dtype)
