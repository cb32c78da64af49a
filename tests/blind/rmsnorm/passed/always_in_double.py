"""Right: somebody who was once burnt by float16 computes everything in double and rounds at the very end."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    xd, wd = x.double(), weight.double()
    rms = xd.square().mean(-1, keepdim=True).add(eps).sqrt()
    return xd.div(rms).mul(wd).to(dtype=x.dtype)
