import math

import torch
from torch import nn

TRUNCATE_AT = 3  # standard deviations


class Linear(nn.Module):
    """Bias-free linear layer."""

    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        sigma = math.sqrt(2.0 / (in_features + out_features))
        with torch.no_grad():
            w = torch.randn(out_features, in_features, device=device, dtype=torch.float64)
            while True:
                far = w.abs() > TRUNCATE_AT
                if not far.any():
                    break
                w.masked_scatter_(far, torch.randn(int(far.sum()), dtype=torch.float64, device=device))
            w = (w * sigma).to(dtype if dtype is not None else torch.get_default_dtype())
        self.weight = nn.Parameter(w)

    def forward(self, x):
        return torch.inner(x, self.weight)
