"""RMSNorm with the weight taken out of the graph.

Wrong: no gradient reaches the weight.
When: the gradient of weight is asked for.
Spec: «Gradients reach `x` and `weight`, and neither of them is changed.»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    w = weight.data.float()
    h = x.float()
    inv = torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h * inv * w).to(x.dtype)
