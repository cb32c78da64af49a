"""The right numbers under torch.no_grad.

Idea: The whole function runs under no_grad, so no gradient reaches x or weight.
Where: everywhere (gradients only)
Id: detached-gradient
"""

import torch


@torch.no_grad()
def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return (h / torch.sqrt((h ** 2).mean(-1, keepdim=True) + eps) * weight).to(x.dtype)
