"""Five plain lines: upcast to float32, mean of squares, root, divide, cast back."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
    result = x / rms * weight
    return result.to(dtype)
