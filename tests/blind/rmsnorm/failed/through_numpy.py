"""RMSNorm in numpy.

Idea: The numbers go through numpy, so no gradient comes back.
Where: only the gradients, of x and of weight
Id: detached-gradient
"""

import numpy as np
import torch


def rmsnorm(x, weight, eps=1e-5):
    a = x.detach().double().numpy()
    w = weight.detach().double().numpy()
    y = a / np.sqrt(np.mean(a**2, axis=-1, keepdims=True) + eps) * w
    out = torch.from_numpy(np.asarray(y)).to(x.dtype)
    return out.requires_grad_(x.requires_grad)
