"""LayerNorm of [x, -x], whose mean is zero and whose variance is the mean square.

Idea: The library's layer norm does the work on the vector and its negative.
Where: everywhere
"""

import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.promote_types(x.dtype, torch.float32)
    h = x.to(wide)
    both = torch.cat([h, -h], dim=-1)
    y = F.layer_norm(both, (both.shape[-1],), eps=eps)[..., : x.shape[-1]]
    return (y * weight.to(wide)).to(x.dtype)
