"""Rounds the root mean square to three decimals.

Idea: The root mean square is rounded to three places, which costs accuracy.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    rms = torch.sqrt(h.square().mean(-1, keepdim=True) + eps)
    tidy = torch.round(rms.detach(), decimals=3) - rms.detach()
    return (h / (rms + tidy) * weight).to(x.dtype)
