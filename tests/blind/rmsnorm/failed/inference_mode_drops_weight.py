"""RMSNorm with a fast path that lost a factor.

Wrong: the weight is left out.
When: under torch.inference_mode.
Spec: «or no gradients, also under `torch.no_grad()` and `torch.inference_mode()`»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    y = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    if torch.is_inference_mode_enabled():
        return y.to(x.dtype)
    return (y * weight.float()).to(x.dtype)
