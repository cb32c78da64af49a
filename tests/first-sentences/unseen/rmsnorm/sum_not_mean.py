# Says: `torch.sum(x ** 2, ...)` adds the squares up but you never divide by `d_model`: it has to be their mean.
# Line: 10
# Names: sum, mean
# Kind: wrong idea
import torch


def rmsnorm(x, weight, eps=1e-5):
    xf = x.float()
    norm = torch.rsqrt(torch.sum(xf ** 2, dim=-1, keepdim=True) + eps)
    out = xf * norm
    return out.type_as(x) * weight
