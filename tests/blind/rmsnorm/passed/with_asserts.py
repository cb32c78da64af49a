"""Checks its arguments before it starts."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    assert weight.dim() == 1, "weight is one number per feature"
    assert x.shape[-1] == weight.shape[0], f"{x.shape[-1]} features, {weight.shape[0]} weights"
    assert eps >= 0

    original = x.dtype
    if original == torch.float16 or original == torch.bfloat16:
        x = x.to(torch.float32)

    squares = x.pow(2)
    mean_of_squares = squares.mean(dim=-1).unsqueeze(-1)
    rms = (mean_of_squares + eps).sqrt()
    y = x / rms
    y = y * weight
    assert y.shape == x.shape
    return y.to(original)
