"""Normalises blocks of sixteen rows into a copy of x.

Idea: The rows after the last full block are only copied.
Where: only when there are more than sixteen vectors and their number is not a multiple of sixteen
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.reshape(-1, x.shape[-1]).to(torch.promote_types(x.dtype, torch.float32))
    block = min(16, h.shape[0])
    done = []
    for start in range(0, h.shape[0] - block + 1, block):
        rows = h[start : start + block]
        done.append(rows * torch.rsqrt(rows.pow(2).mean(-1, keepdim=True) + eps) * weight)
    rest = h[len(done) * block :]
    return torch.cat(done + [rest]).reshape(x.shape).to(x.dtype)
