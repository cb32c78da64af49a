"""RMSNorm with atleast_2d, so that rows are always there.

Wrong: a single vector comes back with an axis more, as (1, d_model).
Condition: x has no leading axes.
Spec: "any number of leading axes, none included" / "The result has the shape ... of x"
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    rows = torch.atleast_2d(x)
    h = rows.to(torch.promote_types(x.dtype, torch.float32))
    rms = torch.sqrt((h**2).mean(dim=-1, keepdim=True) + eps)
    return (h / rms * weight.to(h.dtype)).to(x.dtype)
