"""eps is added to the sum before the division by d, so it is d times too small."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt((x.pow(2).sum(dim=-1, keepdim=True) + eps) / x.shape[-1])
    return (x / rms * weight).to(dtype)
