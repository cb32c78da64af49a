"""A right linear layer: packs all leading axes into one with einops, multiplies two matrices, and unpacks them."""
import torch
from einops import pack, unpack
from torch import nn


class Linear(nn.Module):
    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(self.draw(out_features, in_features, device, dtype))

    @staticmethod
    def draw(rows, columns, device, dtype):
        scale = (2 / (rows + columns)) ** 0.5
        values = torch.empty(rows * columns, device=device, dtype=torch.float32).normal_()
        outside = values.abs().gt(3).nonzero().flatten()
        while len(outside):
            values[outside] = torch.randn(len(outside), device=device, dtype=torch.float32)
            outside = outside[values[outside].abs() > 3]
        return (values * scale).reshape(rows, columns).to(dtype or torch.get_default_dtype())

    def forward(self, x):
        flat, shapes = pack([x], "* i")
        (y,) = unpack((self.weight @ flat.T).T, shapes, "* o")
        return y
