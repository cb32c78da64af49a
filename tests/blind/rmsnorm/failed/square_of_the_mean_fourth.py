"""Squares the mean instead of averaging the squares."""

import torch
from einops import reduce


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    ms = reduce(h, "... d -> ... 1", "mean") ** 2
    return (h / (ms + eps).sqrt()).to(x.dtype) * weight
