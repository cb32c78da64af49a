"""Normalises the first and the second half of the features apart.

Idea: Each half of the features gets its own root mean square, like a group norm with two groups.
Where: everywhere (except d_model = 1)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    out = []
    for part in h.tensor_split(2, dim=-1) if h.shape[-1] > 1 else [h]:
        out.append(part * torch.rsqrt(part.square().mean(-1, keepdim=True) + eps))
    return (torch.cat(out, dim=-1) * weight).to(x.dtype)
