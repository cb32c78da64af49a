"""eps after the root, and float32 out.

Idea: eps is added outside of the root, and halves come back as float32.
Where: only for small vectors or a large eps, and for float16 and bfloat16
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    return h / (h.square().mean(-1, keepdim=True).sqrt() + eps) * weight
