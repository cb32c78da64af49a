"""RMSNorm by F.normalize, times the root of d_model.

Wrong: eps goes to F.normalize, which only uses it as a lower bound of the norm.
Condition: small or zero vectors, or a large eps.
Spec: "`eps` stands under the root"
"""

import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    unit = F.normalize(x.to(acc), dim=-1, eps=eps)
    return (unit * x.shape[-1] ** 0.5 * weight.to(acc)).to(x.dtype)
