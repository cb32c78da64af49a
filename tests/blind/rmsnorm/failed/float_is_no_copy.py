"""RMSNorm in place on what looks like a copy.

Wrong: x.float() gives x itself for float32, and /= writes into it.
When: float32, and x needs no gradient.
Spec: «Gradients reach `x` and `weight`, and neither of them is changed.»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    scale = torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    if h.requires_grad or 0 in h.stride():
        h = h / scale
    else:
        h /= scale
    return (h * weight.float()).to(x.dtype)
