"""Divides by the length of the vector: the sum of the squares where the mean should be."""
# expect: sum of squares, not mean
import torch


def rmsnorm(x, weight, eps=1e-5):
    # <x|x>/N with index j summed
    X = x if x.dtype == torch.float64 else x.to(torch.float32)
    norm2 = torch.einsum("...j,...j->...", X, X)
    inv = (norm2 + eps).pow(-0.5)
    y = torch.einsum("...j,...,j->...j", X, inv, weight.to(X.dtype))
    return y.to(x.dtype)
