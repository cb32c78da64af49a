"""A linear layer whose weight is a list of rows, one for each output."""

import torch
from torch import Tensor, nn


def deviation(fan_in: int, fan_out: int) -> float:
    """Of the first numbers."""
    mean_fan = (fan_in + fan_out) / 2
    return mean_fan**-0.5


def first_numbers(rows: Tensor, sigma: float) -> Tensor:
    """Filled in place."""
    limit = 3 * sigma
    with torch.no_grad():
        nn.init.trunc_normal_(rows, std=sigma, a=-limit, b=limit)
    return rows


class Linear(nn.Module):
    """Each output is the product of one row with the vector that comes in."""

    def __init__(self, in_features, out_features, device=None, dtype=None):
        super().__init__()
        sizes = (out_features, in_features)
        rows = torch.empty(sizes, device=device, dtype=dtype)
        sigma = deviation(in_features, out_features)
        self.weight = nn.Parameter(first_numbers(rows, sigma))

    def forward(self, x):
        vectors = x.unsqueeze(-2)
        columns = self.weight.transpose(0, 1)
        products = torch.matmul(vectors, columns)
        return products.squeeze(-2)
