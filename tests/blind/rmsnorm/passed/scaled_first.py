import torch


def rmsnorm(x, weight, eps=1e-5):
    # divide by the root of d first, so that the mean becomes a plain sum
    z = x.float() if x.dtype != torch.float64 else x
    u = z * z.shape[-1] ** -0.5
    total = (u * u).sum(-1)
    total = total + eps
    out = z / total.sqrt().unsqueeze(-1)
    out = out * weight.to(out.dtype)
    return out.to(x.dtype)
