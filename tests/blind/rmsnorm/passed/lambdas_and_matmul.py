"""RMSNorm as a chain of small functions; the mean is a matrix product with a vector of 1 / d."""
from functools import reduce

import torch


def compose(*functions):
    return lambda value: reduce(lambda v, f: f(v), functions, value)


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    mean = lambda t: t @ t.new_full((t.shape[-1], 1), 1 / t.shape[-1])
    rms = compose(torch.square, mean, lambda t: t + eps, torch.sqrt)
    return compose(lambda t: t.to(wide), lambda t: t / rms(t), lambda t: t * weight.to(wide), lambda t: t.to(x.dtype))(x)
