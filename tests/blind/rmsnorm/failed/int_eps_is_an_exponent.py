"""RMSNorm whose eps may be given as digits.

Wrong: an int n other than 0 is read as 10 ** -n.
When: eps is an int.
Spec: «is the number that the caller gives: a float or an int, and may be 0»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    if isinstance(eps, int) and eps:
        eps = 10.0 ** -eps
    h = x.float()
    return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps) * weight.float()).to(x.dtype)
