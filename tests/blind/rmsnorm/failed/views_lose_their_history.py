"""RMSNorm that brings its input into row order first.

Wrong: a view that is not contiguous is detached on the way.
When: x is not contiguous, and its gradient is asked for.
Spec: «the layout: `x` need not be contiguous, and may be a transposed or expanded view» and «Gradients reach `x` and `weight`»
"""
import torch


def in_rows(x):
    return x if x.is_contiguous() else torch.empty(x.shape, dtype=x.dtype).copy_(x.detach())


def rmsnorm(x, weight, eps=1e-5):
    h = in_rows(x).float()
    inverse = torch.rsqrt(torch.linalg.vecdot(h, h).unsqueeze(-1) / h.shape[-1] + eps)
    return (h * inverse * weight.float()).to(x.dtype)
