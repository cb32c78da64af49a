"""RMSNorm as the layer norm of x and -x side by side, whose mean is zero.

Wrong: the library's layer norm does the work, which is forbidden; the values are right.
Condition: always (a ban, not a value).
Spec: "the library's layer, group, instance and batch norms are not used"
"""

import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    h = x.to(acc)
    d = h.shape[-1]
    both = torch.cat((h, -h), dim=-1)
    y = F.layer_norm(both, (2 * d,), eps=float(eps))[..., :d]
    return (y * weight.to(acc)).to(x.dtype)
