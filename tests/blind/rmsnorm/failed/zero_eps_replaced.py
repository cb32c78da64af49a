"""eps = 0 counts as 'not given' and is replaced by 1e-5 (`eps or 1e-5`)."""
import torch


class Norm(torch.nn.Module):
    def __init__(self, eps=None):
        super().__init__()
        self.eps = eps or 1e-5

    def forward(self, x, weight):
        x32 = x.float()
        x32 = x32 * torch.rsqrt(x32.square().mean(-1, keepdim=True) + self.eps)
        return x32.to(x.dtype) * weight


def rmsnorm(x, weight, eps=1e-5):
    return Norm(eps)(x, weight)
