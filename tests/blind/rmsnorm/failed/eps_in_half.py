"""eps is turned into a tensor of the dtype of x, where 1e-8 is zero, and added in half precision."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    ms = h.pow(2).mean(dim=-1, keepdim=True)
    ms = ms.to(dtype) + torch.tensor(eps, dtype=dtype)
    h = h * torch.rsqrt(ms.float()).to(h.dtype)
    return h.to(dtype) * weight
