"""eps is used as a lower limit of the mean square instead of being added."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True).clamp(min=eps))
    return (x / rms * weight).to(dtype)
