"""RMSNorm with one scale for the whole tensor.

Idea: One root mean square is taken for the whole batch instead of one for each vector.
Where: everywhere that there is more than one vector
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.double()
    rms = (h * h).mean().add(eps).sqrt()
    return (h / rms * weight.double()).type(x.dtype)
