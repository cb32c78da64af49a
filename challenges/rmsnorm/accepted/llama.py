"""As in LLaMA: the normalised vector is back in its dtype before it meets the weight."""

import torch


def _norm(x, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def rmsnorm(x, weight, eps=1e-5):
    return _norm(x.float(), eps).type_as(x) * weight
