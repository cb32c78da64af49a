"""RMSNorm that weighs the features first and scales them afterwards, with statistics in float32.

Wrong: x * weight is taken in the dtype of x before the division, and overflows in float16.
Condition: float16 where |x * weight| goes beyond 65,504 though the result is small.
Spec: "y_i = x_i / rms(x) * weight_i" / "values up to 60,000"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    inv = torch.rsqrt(x.to(acc).square().mean(-1, keepdim=True) + eps)
    weighed = x * weight
    return (weighed.to(acc) * inv).to(x.dtype)
