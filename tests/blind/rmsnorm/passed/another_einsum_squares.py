"""RMSNorm with einsum, for the squares and for the weights."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h, w = x.float(), weight.float()
    energy = torch.einsum("...d,...d->...", h, h) / h.shape[-1]
    return torch.einsum("...d,...,d->...d", h, torch.rsqrt(energy + eps), w).to(x.dtype)
