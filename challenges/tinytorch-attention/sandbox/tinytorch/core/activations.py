"""Activations: functions that have nothing to learn."""

from __future__ import annotations

from tinytorch.core.tensor import Tensor


class Softmax:
    """Positive numbers that add up to one along an axis, in the proportions of exp(x)."""

    def forward(self, x: Tensor, dim: int = -1) -> Tensor:
        """Subtracts the largest number of each row first: the proportions stay the same, and exp cannot overflow."""
        powers = (x - Tensor(x.data.max(axis=dim, keepdims=True))).exp()
        return powers / powers.sum(axis=dim, keepdims=True)

    def __call__(self, x: Tensor, dim: int = -1) -> Tensor:
        return self.forward(x, dim)

    def parameters(self) -> list[Tensor]:
        return []
