"""Divided by the mean square.
Diagnosis: root-missing
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.float()
    return (h / (h.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
