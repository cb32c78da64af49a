# Says: `rmsnorm(x, weight, eps)` is to be a function, but your file defines a class `RMSNorm` and no `rmsnorm`.
# Line: 9
# Names: rmsnorm, RMSNorm, function
# Kind: refused
import torch
import torch.nn as nn


class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5, device=None, dtype=None):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model, device=device, dtype=dtype))

    def forward(self, x):
        in_dtype = x.dtype
        x = x.to(torch.float32)
        rms = torch.sqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return (x / rms * self.weight).to(in_dtype)
