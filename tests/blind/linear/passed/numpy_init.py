import numpy as np
import torch
from torch import nn


class Linear(nn.Module):
    """The draw is made with numpy (fresh entropy each time), the product with einsum."""

    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        rng = np.random.default_rng()
        sigma = np.sqrt(2 / (in_features + out_features))
        w = rng.standard_normal((out_features, in_features))
        bad = np.abs(w) > 3
        while bad.any():
            w[bad] = rng.standard_normal(bad.sum())
            bad = np.abs(w) > 3
        t = torch.as_tensor(w * sigma).to(dtype or torch.get_default_dtype())
        self.weight = nn.Parameter(t.to(device) if device is not None else t)

    def forward(self, x):
        return torch.einsum("oi,...i->...o", self.weight, x)
