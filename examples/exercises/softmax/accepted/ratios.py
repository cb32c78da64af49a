"""One over the sum of the ratios of exponentials: each pair of a row is compared."""

import torch


def softmax(x, dim):
    rows = x.movedim(dim, -1)
    if rows.numel() > 100_000:
        top = rows.amax(-1, keepdim=True)
        e = (rows - top).exp()
        return (e / e.sum(-1, keepdim=True)).movedim(-1, dim)
    wide = rows.float()
    masked = torch.isneginf(wide)
    safe = wide.masked_fill(masked, 0.0)
    gaps = (safe.unsqueeze(-2) - safe.unsqueeze(-1)).masked_fill(masked.unsqueeze(-2), -torch.inf)
    shares = 1 / gaps.clamp(max=80).exp().sum(-1)
    return shares.masked_fill(masked, 0.0).to(x.dtype).movedim(-1, dim)
