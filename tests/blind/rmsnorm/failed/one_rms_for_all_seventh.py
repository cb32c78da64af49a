"""One root mean square is computed over the whole tensor instead of one for each vector."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.float64
    total = x.to(acc).pow(2).mean()
    scale = torch.rsqrt(total + eps)
    return (x.to(acc) * scale * weight.to(acc)).to(x.dtype)
