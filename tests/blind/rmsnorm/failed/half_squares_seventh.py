"""The squares are computed in the dtype of x, so they overflow in float16."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    ms = x.pow(2).mean(-1, keepdim=True)
    x = x.float() * torch.rsqrt(ms.float() + eps)
    return x.to(weight.dtype) * weight
