"""Right: eps becomes one more feature, so that the library's vector norm of d+1 numbers is the root that is wanted."""
import math

import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    extra = h.new_full((*h.shape[:-1], 1), math.sqrt(d * eps))
    length = torch.linalg.vector_norm(torch.cat((h, extra), dim=-1), dim=-1, keepdim=True)
    return (h * (math.sqrt(d) / length) * weight.to(h.dtype)).to(x.dtype)
