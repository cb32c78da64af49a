"""Has 1e-6 as the default of eps.

Idea: The default of eps is 1e-6 where the exercise says 1e-5.
Where: only when eps is left out and the vectors are small
"""

import torch


def rmsnorm(x, weight, eps=1e-6):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / (h.pow(2).mean(-1, keepdim=True) + eps).sqrt() * weight).to(x.dtype)
