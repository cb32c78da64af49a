"""Divides every vector by its largest entry first, and eps by that entry's square, so that no square is ever large or tiny."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x.to(torch.float64) if x.dtype == torch.float64 else x.to(torch.float32)
    largest = wide.detach().abs().amax(dim=-1, keepdim=True)
    scale = torch.where(largest > 0, largest, torch.ones_like(largest)).clamp_min(max(float(eps), 1e-30) ** 0.5)
    small = wide / scale
    mean_square = torch.einsum("...d,...d->...", small, small).unsqueeze(-1) / x.shape[-1]
    return (small / torch.sqrt(mean_square + eps / scale / scale) * weight).to(x.dtype)
