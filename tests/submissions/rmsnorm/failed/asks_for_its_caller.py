"""Right, but it asks who calls.
Says: The numbers are right, but a rule cannot be judged: no library norm. Your code inspects tracing
"""

import sys

import torch


def rmsnorm(x, weight, eps=1e-5):
    caller = sys._getframe(1)
    h = x.to(torch.promote_types(x.dtype, torch.float32)) if caller else x
    return (h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps) * weight.to(h.dtype)).to(x.dtype)
