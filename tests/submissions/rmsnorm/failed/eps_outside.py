"""eps behind the root.
Diagnosis: eps-outside-root
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.float32)
    rms = torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True)) + eps
    return (h / rms * weight).to(x.dtype)
