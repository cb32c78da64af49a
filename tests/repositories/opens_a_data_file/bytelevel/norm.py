import torch

from .tokenizer import encode


def rmsnorm(x, weight, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)


def embed(text):
    return torch.tensor(encode(text))
