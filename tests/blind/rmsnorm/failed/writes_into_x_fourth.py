"""float() returns x itself when it is float32 already, and the in-place division then changes the caller's tensor."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.detach().float() if not x.requires_grad else x.float().clone()
    h.div_(torch.sqrt(h.square().mean(-1, keepdim=True) + eps))
    return (h * weight).to(x.dtype)
