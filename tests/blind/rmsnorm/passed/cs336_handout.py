"""Upcast to float32, normalise, multiply, cast back to the incoming dtype."""

import torch


def rmsnorm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    in_dtype = x.dtype
    x = x.to(torch.float32)
    rms = torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True) + eps)
    result = x / rms * weight.to(torch.float32)
    return result.to(in_dtype)
