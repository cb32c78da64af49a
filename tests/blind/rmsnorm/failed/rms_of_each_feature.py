"""Takes the mean over the first axis, as BatchNorm does.

Idea: The root mean square is taken for each feature over the batch and not for each vector over its features.
Where: everywhere (except without leading axes)
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    wide = torch.promote_types(x.dtype, torch.float32)
    mean_square = x.to(wide).pow(2).mean(dim=0, keepdim=True)
    return (x.to(wide) / torch.sqrt(mean_square + eps) * weight.to(wide)).to(x.dtype)
