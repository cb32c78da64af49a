"""Pads the features to a multiple of four for vector loads.

Idea: The mean divides by the padded length and not by d_model.
Where: only when d_model is not a multiple of four
"""

import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    padded = F.pad(h, (0, -h.shape[-1] % 4))
    rms = torch.sqrt(padded.square().mean(-1, keepdim=True) + eps)
    return (h / rms * weight).to(x.dtype)
