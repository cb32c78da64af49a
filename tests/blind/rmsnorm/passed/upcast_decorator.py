"""RMSNorm with a decorator that takes care of the dtype."""

import functools

import torch


def in_float32_at_least(function):
    @functools.wraps(function)
    def wrapper(x, weight, eps=1e-5):
        if torch.finfo(x.dtype).bits >= 32:
            return function(x, weight, eps)
        return function(x.float(), weight.float(), eps).to(x.dtype)

    return wrapper


@in_float32_at_least
def rmsnorm(x, weight, eps=1e-5):
    return weight * x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt()
