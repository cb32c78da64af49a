"""RMSNorm whose mean and root are in float32.

Wrong: the squares are taken in the dtype of x and widened only afterwards.
Condition: float16 with values from 256 on (infinite squares) or small ones (squares vanish).
Spec: "in float16, the square of 300 is infinite"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    ms = torch.mean(x * x, dim=-1, keepdim=True, dtype=acc)
    return (x.to(acc) / torch.sqrt(ms + eps) * weight.to(acc)).to(x.dtype)
