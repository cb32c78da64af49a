import math

import torch


def rmsnorm(x, weight, eps=1e-5):
    """sqrt(mean + eps) is the length of the vector with one more entry, divided by the root of d."""
    d = x.size(-1)
    work = torch.promote_types(x.dtype, torch.float32)
    z = x.to(work)
    extra = torch.full((*z.shape[:-1], 1), math.sqrt(d * eps), dtype=work, device=z.device)
    length = torch.linalg.vector_norm(torch.cat((z, extra), dim=-1), dim=-1, keepdim=True)
    return (z * (math.sqrt(d) / length) * weight.to(work)).to(x.dtype)
