"""RMSNorm down the columns.

Idea: The mean is taken over the first axis, so each feature has a root mean square instead of each vector.
Where: everywhere except on a single vector without leading axes
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    up = x.to(torch.promote_types(x.dtype, torch.float32))
    ms = torch.mean(up * up, 0, keepdim=True)
    return (up * torch.rsqrt(ms + eps) * weight.to(up)).to(x)
