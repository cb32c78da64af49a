"""batch, seq, d_model = x.shape.
Diagnosis: fixed-rank
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    batch, seq, d_model = x.shape
    h = x.float()
    rms = torch.sqrt(h.pow(2).sum(-1) / d_model + eps)
    return (h / rms.view(batch, seq, 1) * weight).to(x.dtype)
