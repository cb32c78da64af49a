"""Divides by torch.linalg.vector_norm.

Idea: L2 normalisation is taken for RMS normalisation: the factor sqrt(d_model) is missing.
Where: everywhere (except d_model = 1)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = x if x.dtype == torch.float64 else x.float()
    length = torch.linalg.vector_norm(wide, dim=-1, keepdim=True)
    return (wide / (length.square() + eps).sqrt() * weight).to(x.dtype)
