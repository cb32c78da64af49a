"""Clamps the root mean square at eps instead of adding eps."""

import torch as np


def rmsnorm(x, weight, eps=1e-5):
    a = x.to(np.float64)
    ms = np.mean(np.square(a), axis=-1, keepdims=True)
    return np.multiply(a * np.pow(np.clamp(np.sqrt(ms), min=eps), -1), weight).to(x.dtype)
