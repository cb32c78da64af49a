"""rsqrt of the root mean square: the root is taken twice."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d_model = x.size(-1)
    norm = torch.linalg.vector_norm(x.float(), dim=-1, keepdim=True)
    rms = torch.sqrt(norm**2 / d_model + eps)
    return (x.float() * torch.rsqrt(rms) * weight.float()).to(x.dtype)
