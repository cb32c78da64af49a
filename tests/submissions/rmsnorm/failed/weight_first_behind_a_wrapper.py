"""The source does not tell the order, calls by position do: the weight is taken first.
Says: Look at line 18 first
"""

import torch


def any_call(function):
    def call(*args, **kwargs):
        return function(*args, **kwargs)

    return call


@any_call
def normed(weight, x, eps=1e-5):
    x_float = x.float()
    rms = torch.sqrt(x_float.pow(2).mean(dim=-1, keepdim=True) + eps)
    return (x_float / rms * weight).to(x.dtype)


def rmsnorm(*args, **kwargs):
    return normed(*args, **kwargs)
