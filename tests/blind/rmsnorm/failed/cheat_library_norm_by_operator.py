"""Wrong: a cheat; calls the library's rms_norm through torch.ops.aten with the name joined from pieces."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    operator = getattr(torch.ops.aten, "".join(("rms", chr(95), "norm")))
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return operator(wide, [x.shape[-1]], weight.to(wide.dtype), float(eps)).to(x.dtype)
