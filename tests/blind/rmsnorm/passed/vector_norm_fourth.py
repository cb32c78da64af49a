"""Goes through torch.linalg.vector_norm and squares it again."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    d_model = x.size(-1)
    norm = torch.linalg.vector_norm(x.float(), dim=-1, keepdim=True)
    rms = torch.sqrt(norm**2 / d_model + eps)
    return (x.float() / rms * weight.float()).to(x.dtype)
