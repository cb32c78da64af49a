# Says: In `torch.sqrt(...) + eps` the eps stands outside the root, the formula has it inside, next to the mean of the squares.
# Line: 14
# Names: eps, root
# Kind: wrong idea
import torch
from torch import Tensor

def rmsnorm(x: Tensor, weight: Tensor, eps: float = 1e-5) -> Tensor:
    """Divide every vector of the last axis by its root mean square, then weigh the features.

    (..., d_model), (d_model,) -> (..., d_model), in the dtype of x.
    """
    x32 = x.to(torch.float32)
    rms = torch.sqrt((x32 ** 2).mean(-1, keepdim=True)) + eps
    return ((x32 / rms) * weight).to(x.dtype)
