"""Through the length of the vector."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True, dtype=torch.promote_types(x.dtype, torch.float32))
    rms = torch.sqrt(length**2 / x.shape[-1] + eps)
    return (x / rms * weight).to(x.dtype)
