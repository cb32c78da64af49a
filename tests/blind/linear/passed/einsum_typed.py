"""Linear layer, CS336 style, with shape annotations."""

from __future__ import annotations

import torch
from einops import einsum
from jaxtyping import Float
from torch import Tensor, nn


class Linear(nn.Module):
    """y = W x, no bias."""

    weight: Float[Tensor, "d_out d_in"]

    def __init__(
        self,
        in_features: int,
        out_features: int,
        device: torch.device | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = nn.Parameter(torch.empty((out_features, in_features), device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        sigma = (2.0 / (self.in_features + self.out_features)) ** 0.5
        nn.init.trunc_normal_(self.weight, std=sigma, a=-3.0 * sigma, b=3.0 * sigma)

    def forward(self, x: Float[Tensor, "... d_in"]) -> Float[Tensor, "... d_out"]:
        return einsum(x, self.weight, "... d_in, d_out d_in -> ... d_out")

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}"


if __name__ == "__main__":
    layer = Linear(4, 3)
    print(layer, layer(torch.ones(2, 4)).shape)
