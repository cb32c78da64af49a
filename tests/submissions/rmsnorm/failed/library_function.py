"""The library's function.
Rule: no-library-norm
"""

import torch.nn.functional as F


def rmsnorm(x, weight, eps=1e-5):
    return F.rms_norm(x, (x.shape[-1],), weight, eps)
