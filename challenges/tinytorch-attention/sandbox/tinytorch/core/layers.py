"""Layers: the parts of a model that learn."""

from __future__ import annotations

import numpy as np

from tinytorch.core.tensor import Tensor


class Linear:
    """y = x @ weight + bias, on the last axis, whatever axes come before it.

    `weight` is (in_features, out_features), the opposite of PyTorch. It starts with a variance of 1 / in_features, which
    keeps the numbers that go through at about the same size.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        self.in_features = in_features
        self.out_features = out_features
        start = np.random.randn(in_features, out_features) / np.sqrt(in_features)
        self.weight = Tensor(start.astype(np.float32), requires_grad=True)
        self.bias = Tensor(np.zeros(out_features, np.float32), requires_grad=True) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        """(..., in_features) -> (..., out_features)."""
        y = x @ self.weight
        return y if self.bias is None else y + self.bias

    def __call__(self, x: Tensor) -> Tensor:
        return self.forward(x)

    def parameters(self) -> list[Tensor]:
        return [self.weight] if self.bias is None else [self.weight, self.bias]

    def __repr__(self) -> str:
        return f"Linear(in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None})"
