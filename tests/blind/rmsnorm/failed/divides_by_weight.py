"""RMSNorm with the weight in the denominator.

Idea: The weight stands under the fraction: the vector is divided by it.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    a = x.double()
    denominator = torch.sqrt((a**2).mean(dim=-1, keepdim=True) + eps) * weight.double()
    return (a / denominator).to(x.dtype)
