"""Multiplies by the weight first and normalises the product."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    z = x.float() * weight.float()
    return (z * torch.rsqrt((z**2).mean(-1, keepdim=True) + eps)).to(x.dtype)
