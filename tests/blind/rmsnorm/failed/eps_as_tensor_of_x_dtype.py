"""Makes eps a tensor of the dtype of x.

Idea: A small eps becomes zero in float16, so a zero vector gives NaN.
Where: only for float16 with a zero vector and an eps below about 3e-8
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    e = torch.tensor(eps, dtype=x.dtype, device=x.device)
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt(h.square().mean(-1, keepdim=True) + e.to(h.dtype)) * weight).to(x.dtype)
