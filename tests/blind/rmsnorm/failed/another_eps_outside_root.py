"""RMSNorm as in the first papers: x / (rms + eps).

Wrong: eps is added after the root.
When: small vectors or an eps that is not tiny.
Spec: «`eps` stands under the root, and is the number that the caller gives»
"""
import torch


def rmsnorm(x, weight, eps=1e-5):
    dtype = x.dtype
    x = x.to(torch.float32)
    # float64 throughout for the root: its gradient at exactly zero is taken care of with a tiny floor
    rms = torch.sqrt((x * x).mean(-1, keepdim=True).clamp_min(1e-30))
    return ((x / (rms + eps)) * weight).to(dtype)
