"""Squares are computed in half precision, where 300 squared is infinite."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (x / rms * weight).to(dtype)
