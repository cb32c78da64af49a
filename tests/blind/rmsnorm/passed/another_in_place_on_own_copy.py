"""RMSNorm with in-place steps on tensors of its own."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    own = x.to(torch.float32, copy=True)
    scale = own.square().mean(-1, keepdim=True)
    scale.add_(eps).sqrt_()
    out = own / scale
    out *= weight.to(torch.float32)
    return out.to(x.dtype)
