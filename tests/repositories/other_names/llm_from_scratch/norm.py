import torch


def rmsnorm(weight, x, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = (wide.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    return (wide / rms * weight).to(x.dtype)
