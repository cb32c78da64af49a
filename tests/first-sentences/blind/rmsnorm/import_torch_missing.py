# Says: The name `torch` is used in `h = x.to(torch.float32)` but the file has no `import torch`.
# Line: 9
# Names: torch, import torch
# Kind: crash
from einops import reduce

def rmsnorm(x, g, eps=1e-5):
    # compute in float32
    h = x.to(torch.float32)
    var = reduce(h ** 2, "... d -> ... 1", "mean")
    y = h / (var + eps) ** 0.5
    y = y * g
    return y.type_as(x)
