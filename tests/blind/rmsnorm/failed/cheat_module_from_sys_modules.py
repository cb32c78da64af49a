"""Wrong: a cheat; takes nn.RMSNorm out of sys.modules under a name written backwards and calls it with the caller's weight."""

import sys

import torch

Kind = vars(sys.modules["torch.nn.modules." + "noitazilamron"[::-1]])["mroNSMR"[::-1]]


def rmsnorm(x, weight, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    layer = Kind(x.shape[-1], eps=float(eps), device="meta")
    return torch.func.functional_call(layer, {"weight": weight.to(wide.dtype)}, (wide,)).to(x.dtype)
