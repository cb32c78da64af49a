"""RMSNorm of the weighted vector.

Wrong: the weight is multiplied in before the root mean square is taken.
Condition: weights other than all 1 (in absolute value).
Spec: "every vector is divided by its root mean square, and each feature gets a learned weight"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    h = x.to(acc) * weight.to(acc)
    r = torch.einsum("...d,...d->...", h, h) / h.shape[-1]
    return (h / (r + eps).sqrt().unsqueeze(-1)).to(x.dtype)
