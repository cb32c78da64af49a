# Says: `math.sqrt(ms + eps)` takes a single number, but `ms` holds one for each vector: use `torch.sqrt`.
# Line: 12
# Names: math.sqrt, torch.sqrt
# Kind: crash
import math
import torch

def rmsnorm(x, weight, eps = 1e-5):
    dt = x.dtype
    x = x.float()
    ms = torch.mean(x * x, dim = -1, keepdim = True)
    rms = math.sqrt(ms + eps)
    return (x / rms * weight.float()).to(dt)
