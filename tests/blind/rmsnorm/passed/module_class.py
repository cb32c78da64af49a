"""RMSNorm through a small nn.Module without parameters of its own."""
import torch
from torch import nn


class RootMeanSquare(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.eps = eps

    def forward(self, vectors):
        return torch.sqrt(torch.mean(torch.square(vectors), dim=-1, keepdim=True) + self.eps)


class Normaliser(nn.Module):
    def __init__(self, eps):
        super().__init__()
        self.rms = RootMeanSquare(eps)

    def forward(self, vectors, weight):
        wide = vectors.to(torch.promote_types(vectors.dtype, torch.float32))
        return (wide / self.rms(wide)).to(vectors.dtype) * weight


def rmsnorm(hidden_states, gain, epsilon=1e-5):
    return Normaliser(epsilon)(hidden_states, gain)
