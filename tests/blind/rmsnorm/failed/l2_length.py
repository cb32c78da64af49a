"""Divides by the length of the vector (root of the sum), not by the root of the mean of the squares."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    xf = x.float()
    norm = torch.sqrt((xf * xf).sum(-1, keepdim=True) + eps)
    y = (xf / norm).to(x.dtype)
    return y * weight
