"""Uses the larger of the mean square and eps instead of their sum."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    xs = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = xs.square().mean(-1, keepdim=True)
    rms = ms.clamp(min=eps).sqrt()
    return (xs / rms * weight.to(xs.dtype)).to(x.dtype)
