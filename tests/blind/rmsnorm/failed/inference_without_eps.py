"""RMSNorm with a fast path for inference.

Idea: Where no gradient is recorded, a shortcut is taken that leaves eps out.
Where: only under no_grad and inference_mode, for small vectors
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    if torch.is_grad_enabled():
        scale = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
    else:
        scale = torch.linalg.vector_norm(h, dim=-1, keepdim=True).clamp(min=1e-30).reciprocal() * h.shape[-1] ** 0.5
    return (h * scale * weight.double()).to(x.dtype)
