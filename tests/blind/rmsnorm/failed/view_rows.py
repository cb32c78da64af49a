"""Uses view on an input that need not be contiguous; reshape would do."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    rows = x.view(-1, d)
    f = rows if rows.dtype == torch.float64 else rows.float()
    rms = f.square().mean(1).add(eps).sqrt()
    y = f / rms.unsqueeze(1) * weight
    return y.view(x.shape).to(x.dtype)
