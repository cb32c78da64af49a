"""F.normalize over the vector with one more feature, sqrt(eps * d), appended: its length is exactly sqrt(d) times the root mean square."""

import math

import torch
import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    d = x.shape[-1]
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    extra = wide.new_full((*x.shape[:-1], 1), math.sqrt(eps * d))
    unit = F.normalize(torch.cat((wide, extra), dim=-1), dim=-1, eps=1e-30)
    return (unit[..., :d] * math.sqrt(d) * weight).to(x.dtype)
