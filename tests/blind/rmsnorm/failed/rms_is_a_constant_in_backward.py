"""RMSNorm that computes its statistics under no_grad.

Wrong: the root mean square is a constant for the backward pass.
When: the gradient of x is asked for.
Spec: «Values and gradients against a float64 reference»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    with torch.no_grad():
        inv = (h.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
    return (h * inv * weight.float()).to(x.dtype)
