"""RMSNorm in plain torch without any casts.

Wrong: squares and their mean are taken in the dtype of x, in half precision too.
Condition: float16 (values from 256 on overflow, small squares vanish).
Spec: "Squares and their mean are taken in float32 at least"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight
