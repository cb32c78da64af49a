# Says: `rmsnorm` computes `y` and stops, so it returns None: end it with `return y`.
# Line: 13
# Names: y, return
# Kind: missing return
import torch


def rmsnorm(x, weight, eps=1e-5):
    # x: (..., d_model)
    mean_sq = torch.mean(x.float() ** 2, dim=-1, keepdim=True)
    y = x / torch.sqrt(mean_sq + eps)
    y = y * weight
    y = y.to(x.dtype)
