"""Takes one root mean square over the last two axes.

Idea: All tokens of a sequence share one root mean square.
Where: everywhere (except where there is one token, or no leading axis)
"""

from einops import reduce
import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    if h.ndim == 1:
        ms = reduce(h * h, "d -> 1", "mean")
    else:
        ms = reduce(h * h, "... s d -> ... 1 1", "mean")
    return (h / (ms + eps).sqrt() * weight).to(x.dtype)
