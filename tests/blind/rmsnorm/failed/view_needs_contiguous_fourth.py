"""view(-1, d) raises for transposed and expanded tensors."""

import torch

ROWS = 2


def rmsnorm(x, weight, eps=1e-5):
    flat = x.view(-1, x.shape[-1])
    pieces = []
    for piece in flat.split(ROWS):
        z = piece.to(torch.float32)
        inv = 1.0 / torch.sqrt(torch.mean(z * z, dim=1, keepdim=True) + eps)
        pieces.append((z * inv * weight.to(torch.float32)).to(x.dtype))
    return torch.cat(pieces).reshape(x.shape)
