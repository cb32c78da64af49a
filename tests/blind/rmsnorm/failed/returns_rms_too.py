"""Returns the result together with the root mean square.

Idea: A pair comes back where one tensor is asked for.
Where: everywhere
"""

import torch


def rmsnorm(x, weight, eps=1e-5):
    h = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (h / rms * weight).to(x.dtype), rms
