"""The function for one vector, wrapped in torch.func.vmap once for each leading axis."""

from functools import reduce

import torch
from torch.func import vmap


def one_vector(x, weight, eps):
    mean_square = torch.dot(x, x) / x.numel()
    return x / torch.sqrt(mean_square + eps) * weight


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.promote_types(x.dtype, torch.float32)
    lifted = reduce(lambda g, _: vmap(g, in_dims=(0, None, None)), range(x.ndim - 1), one_vector)
    return lifted(x.to(wide), weight.to(wide), eps).to(x.dtype)
