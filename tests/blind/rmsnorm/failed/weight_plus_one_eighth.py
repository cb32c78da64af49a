"""The features are multiplied by 1 + weight (as in Gemma) instead of weight."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (x / rms * (1 + weight)).to(dtype)
