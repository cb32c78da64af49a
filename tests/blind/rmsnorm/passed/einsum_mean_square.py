"""Right: a physicist's answer, the mean square as a contraction of x with itself over the last index."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    # <x|x>/N with index j summed
    X = x if x.dtype == torch.float64 else x.to(torch.float32)
    N = X.shape[-1]
    norm2 = torch.einsum("...j,...j->...", X, X) / N
    inv = (norm2 + eps).pow(-0.5)
    y = torch.einsum("...j,...,j->...j", X, inv, weight.to(X.dtype))
    return y.to(x.dtype)
