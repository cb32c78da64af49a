"""RMSNorm in blocks of eight rows.

Idea: The rows are worked off in whole blocks of eight, and those left over stay as they were.
Where: only when the number of vectors is above eight and not a multiple of eight
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    rows = x.reshape(-1, x.shape[-1]).double()
    n, step = len(rows), 8 if len(rows) > 8 else max(len(rows), 1)
    done = []
    for i in range(0, n - n % step, step):
        block = rows[i : i + step]
        done.append(block / torch.sqrt((block**2).mean(1, keepdim=True) + eps))
    done.append(rows[n - n % step :])
    return (torch.cat(done) * weight.double()).to(x.dtype).reshape(x.shape)
