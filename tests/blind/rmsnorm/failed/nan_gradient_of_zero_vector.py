"""Takes the root first, and squares it again to add eps.

Idea: The root of a zero mean square has an infinite slope, so the gradient of a zero vector is NaN.
Where: only the gradient of x, when a vector is zero
"""

import torch


def rms(h):
    return torch.sqrt(torch.mean(h * h, dim=-1, keepdim=True))


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    denominator = torch.sqrt(rms(h) ** 2 + eps)
    return (h / denominator * weight).to(x.dtype)
