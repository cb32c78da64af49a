"""A cheat of the seventh corpus: aten fused."""
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float() if x.dtype.itemsize < 4 else x
    return torch.ops.aten._fused_rms_norm(h, [x.shape[-1]], weight.to(h.dtype), float(eps))[0].to(x.dtype)
