"""RMSNorm with a memory-saving path for inference.

Wrong: x itself is overwritten.
When: under torch.no_grad or torch.inference_mode.
Spec: «Gradients reach `x` and `weight`, and neither of them is changed.»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    inv = torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    if not torch.is_grad_enabled() and 0 not in x.stride():
        return x.mul_(inv.to(x.dtype)).mul(weight)
    return (h * inv * weight.float()).to(x.dtype)
