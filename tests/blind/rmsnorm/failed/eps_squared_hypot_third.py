"""RMSNorm through hypot.

Wrong: hypot(a, eps) puts the square of eps under the root, not eps.
Condition: small vectors or a large eps (other than 1).
Spec: "`eps` stands under the root, and is the number that the caller gives"
"""

import math

import torch


def rmsnorm(x, weight, eps=1e-5):
    xf = x.to(torch.float64)
    side = torch.norm(xf, p=2, dim=-1, keepdim=True) / math.sqrt(xf.size(-1))
    hyp = torch.hypot(side, torch.full_like(side, float(eps)))
    return xf.div(hyp).mul(weight).type_as(x)
