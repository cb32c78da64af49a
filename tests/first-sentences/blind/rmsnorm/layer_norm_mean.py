# Says: `h = h - h.mean(dim=-1, keepdim=True)` takes the mean off, which is LayerNorm: RMSNorm takes no mean off.
# Line: 11
# Names: mean, RMSNorm
# Kind: wrong idea
from einops import reduce
import torch

def rmsnorm(x, g, eps=1e-5):
    # compute in float32
    h = x.to(torch.float32)
    h = h - h.mean(dim=-1, keepdim=True)
    var = reduce(h ** 2, "... d -> ... 1", "mean")
    y = h / (var + eps) ** 0.5
    y = y * g
    return y.type_as(x)
