"""keepdim is forgotten.
Diagnosis: keepdim-missing
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    rms = torch.sqrt(h.pow(2).mean(dim=-1) + eps)
    return (h / rms * weight).to(x.dtype)
