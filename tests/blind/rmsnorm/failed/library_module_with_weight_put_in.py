"""An nn.RMSNorm that gets the caller's weight through functional_call.

Idea: The library's nn.RMSNorm does the work.
Where: everywhere
"""

from torch import nn
from torch.func import functional_call


def rmsnorm(x, weight, eps=1e-5):
    layer = nn.RMSNorm(weight.shape[0], eps=eps, dtype=x.dtype, device=x.device)
    return functional_call(layer, {"weight": weight}, (x,))
