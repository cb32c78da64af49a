"""The feature weights are a diagonal matrix, and weighing is a matmul."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.promote_types(x.dtype, torch.float32)
    h = x.to(wide)
    normed = h * torch.rsqrt((h * h).mean(-1, keepdim=True) + eps)
    return (normed @ torch.diag(weight.to(wide))).to(x.dtype)
