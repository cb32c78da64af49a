# Says: There is no function `rmsnorm` in your file, only the module `RMSNorm`: write it as a plain function that gets `weight` as an argument.
# Line: 9
# Names: rmsnorm, RMSNorm
# Kind: refused
import torch
import torch.nn as nn


class RMSNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        in_dtype = x.dtype
        x = x.to(torch.float32)
        rms = torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + self.eps)
        return (x / rms * self.weight).to(in_dtype)
