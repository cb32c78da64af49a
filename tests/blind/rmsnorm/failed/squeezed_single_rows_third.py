"""RMSNorm over rows, with the helper axes squeezed away.

Wrong: squeeze() takes off leading axes of size 1 of x as well.
Condition: two or more axes, a leading axis (or d_model) of 1.
Spec: "The result has the shape, dtype and device of x."
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    row = x.to(acc).unsqueeze(-2)
    ss = row @ row.mT
    y = row / (ss / x.shape[-1] + eps).sqrt() * weight.to(acc)
    return y.squeeze().to(x.dtype) if x.ndim > 1 else y.squeeze(-2).to(x.dtype)
