"""Calculates with numpy and hands the array back.

Idea: A numpy array comes back and not a tensor, and no gradient can flow.
Where: everywhere
"""

import numpy as np


def rmsnorm(x, weight, eps=1e-5):
    a = x.detach().cpu().double().numpy()
    w = weight.detach().cpu().double().numpy()
    return a / np.sqrt(np.mean(a ** 2, axis=-1, keepdims=True) + eps) * w
