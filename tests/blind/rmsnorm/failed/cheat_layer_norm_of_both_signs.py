"""Wrong: a cheat; layer norm, fetched with operator.attrgetter, is applied to x beside -x, whose mean is zero, so that it is RMSNorm."""

import operator

import torch

normalise = operator.attrgetter("nn.functional." + "_".join(("layer", "norm")))(torch)


def rmsnorm(x, weight, eps=1e-5):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    both = normalise(torch.cat((wide, -wide), dim=-1), (2 * x.shape[-1],), eps=float(eps))
    return (both[..., : x.shape[-1]] * weight.to(wide.dtype)).to(x.dtype)
