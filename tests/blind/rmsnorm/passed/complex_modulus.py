"""The root mean square as the modulus of a complex number whose real part is the length of the vector and whose imaginary part is sqrt(eps)."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    length = torch.linalg.vector_norm(wide, dim=-1, keepdim=True) / wide.shape[-1] ** 0.5
    root = torch.complex(length, torch.full_like(length, float(eps) ** 0.5)).abs()
    return ((wide / root) * weight.to(wide.dtype)).to(x.dtype)
