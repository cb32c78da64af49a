"""Your linear layer.

Read linear.md, fill in the class, then run `engine submit-build`.
"""

import torch
from torch import Tensor, nn


class Linear(nn.Module):
    """One parameter, `weight` of shape (out_features, in_features), and no bias."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        device: torch.device | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """(..., in_features) -> (..., out_features)."""
        raise NotImplementedError
