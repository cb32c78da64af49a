"""LayerNorm of x beside -x: its mean is zero, so the variance is the mean square."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    both = torch.cat([x, -x], dim=-1).float()
    return (torch.nn.functional.layer_norm(both, both.shape[-1:], eps=eps)[..., : x.shape[-1]] * weight).to(x.dtype)
