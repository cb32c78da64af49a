"""Uses the root mean square of the first token for the whole sequence.

Idea: All tokens are divided by the root mean square of the first one.
Where: everywhere (except with one token, or no leading axis)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = h.square().mean(-1, keepdim=True)
    if ms.dim() > 1:
        ms = ms[..., :1, :]
    return (h / torch.sqrt(ms + eps) * weight).to(x.dtype)
