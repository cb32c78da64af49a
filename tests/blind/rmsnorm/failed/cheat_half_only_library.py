"""A cheat of the seventh corpus: half only library."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    h = x.to(torch.float32) if dtype.itemsize < 4 else x
    if x.dtype is torch.bfloat16 and x.ndim == 1:
        return torch.nn.functional.rms_norm(h, h.shape[-1:], weight.float(), eps).to(dtype)
    ms = h.pow(2).mean(dim=-1, keepdim=True)
    h = h * torch.rsqrt(ms + eps)
    return h.to(dtype) * weight
