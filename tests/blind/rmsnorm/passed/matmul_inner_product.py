"""Each vector times itself by matmul gives the sum of squares."""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    rows = h.reshape(-1, 1, h.shape[-1])
    total = torch.bmm(rows, rows.transpose(1, 2))          # (n, 1, 1)
    rows = rows / torch.sqrt(total / h.shape[-1] + eps)
    return (rows.reshape(x.shape) * weight).to(x.dtype)
