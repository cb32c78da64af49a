"""Upcasts the halves and forgets to cast back.

Idea: float16 and bfloat16 inputs come back as float32.
Where: only for float16 and bfloat16: wrong dtype
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    up = x.to(torch.promote_types(x.dtype, torch.float32))
    return weight * (up / torch.sqrt(torch.mean(up ** 2, dim=-1, keepdim=True) + eps))
