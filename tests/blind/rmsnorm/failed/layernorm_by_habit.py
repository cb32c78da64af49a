"""LayerNorm by habit: the mean is subtracted before the squares are taken, since "norm" always does that."""
# expect: subtracts the mean like LayerNorm
import torch
from torch import nn
from torch.func import functional_call


class Norm(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.eps = eps
        self.gain = nn.Parameter(torch.empty(width, device="meta"))

    def forward(self, x):
        working = torch.float64 if x.dtype is torch.float64 else torch.float32
        h = x.to(working)
        h = h - h.mean(dim=-1, keepdim=True)
        h = h * (h.pow(2).mean(dim=-1, keepdim=True) + self.eps).rsqrt()
        return (h * self.gain.to(working)).to(x.dtype)


def rmsnorm(x, weight, eps=1e-5):
    return functional_call(Norm(x.shape[-1], eps), {"gain": weight}, (x,))
