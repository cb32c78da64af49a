"""Upcasts to float32 for the squares and forgets the way back: half precision goes in, float32 comes out."""
# expect: result not cast back
import torch


def rmsnorm(x, weight, eps=1e-5):
    up = torch.promote_types(x.dtype, torch.float32)
    xd, wd = x.to(up), weight.to(up)
    rms = xd.square().mean(-1, keepdim=True).add(eps).sqrt()
    return xd.div(rms).mul(wd)
