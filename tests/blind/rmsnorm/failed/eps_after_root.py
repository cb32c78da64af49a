"""eps is added to the root, as in the Adam update, and not to the mean square below it."""
# expect: eps added outside the root
import torch


def rmsnorm(x, weight, eps=1e-5):
    xd, wd = x.double(), weight.double()
    rms = xd.square().mean(-1, keepdim=True).sqrt().add(eps)
    return xd.div(rms).mul(wd).to(dtype=x.dtype)
