"""x is changed in place where it is float32 already: to() returns the same tensor."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    z = x.detach().to(torch.float32) if not x.requires_grad else x.to(torch.float32)
    rms = torch.sqrt(z.pow(2).mean(dim=-1, keepdim=True) + eps)
    if z.requires_grad:
        return (z / rms * weight).to(x.dtype)
    z /= rms  # saves memory
    return (z * weight).to(x.dtype)
