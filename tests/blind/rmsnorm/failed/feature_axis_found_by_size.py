"""RMSNorm that searches for the axis of the features.

Wrong: the first axis of the size of weight is normalised.
When: a leading axis is as long as d_model.
Spec: «the sizes: `d_model` and each leading axis may be 1, or equal to another;»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    axis = tuple(x.shape).index(weight.shape[0])
    h = x.float()
    ms = h.pow(2).mean(dim=axis, keepdim=True)
    return (h * torch.rsqrt(ms + eps) * weight.float()).to(x.dtype)
