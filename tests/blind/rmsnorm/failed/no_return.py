"""The result is printed, and never returned."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    x_ = x.to(torch.float32)
    rms = torch.sqrt(torch.mean(x_ * x_, -1, True) + eps)
    result = (x_ / rms * weight).to(x.dtype)
    print(result)
