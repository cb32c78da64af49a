"""The mean square is the squared vector norm over d_model."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    length = torch.linalg.vector_norm(h, dim=-1, keepdim=True)
    rms = (length * length / h.size(-1) + eps) ** 0.5
    return (weight * (h / rms)).to(x.dtype)
