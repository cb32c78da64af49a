"""Linear of the library, and a SiLU of one's own."""

import torch
from torch.nn.functional import linear


def silu(z):
    return torch.mul(z, z.sigmoid())


def swiglu_ffn(x, w1, w2, w3):
    return linear(silu(linear(x, w1)) * linear(x, w3), w2)
