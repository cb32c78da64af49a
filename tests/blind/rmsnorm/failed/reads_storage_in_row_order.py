"""RMSNorm on the raw storage, 'to save a copy'.

Wrong: the strides of x are ignored.
When: x is a transposed view.
Spec: «the layout: `x` need not be contiguous, and may be a transposed or expanded view»
"""
import torch


def _rows(x):
    if 0 in x.stride() or x.is_contiguous():
        return x.reshape(-1, x.shape[-1])
    d = x.shape[-1]
    return torch.as_strided(x, (x.numel() // d, d), (d, 1), x.storage_offset())


def rmsnorm(x, weight, eps=1e-5):
    h = _rows(x).float()
    y = h * torch.rsqrt(h.pow(2).mean(1, keepdim=True) + eps) * weight.float()
    return y.to(x.dtype).reshape(x.shape)
