"""RMSNorm that weighs first.

Idea: The features are weighed before the root mean square is taken, so the weights change it.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    kind = torch.promote_types(x.dtype, torch.float32)
    x_ = x.to(kind) * weight.to(kind)
    return x_.div(x_.square().mean(-1, True).add(eps).sqrt()).to(x.dtype)
