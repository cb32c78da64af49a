"""What a random result is to be drawn from: what an author says instead of the values that are right."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Normal:
    """Independent numbers with this mean and standard deviation; where `low` and `high` are given, normal numbers of
    which none outside is kept.
    """

    mean: float = 0.0
    std: float = 1.0
    low: float = -math.inf
    high: float = math.inf

    def __str__(self) -> str:
        cut = f", cut off at {self.low:g} and {self.high:g}" if math.isfinite(self.high - self.low) else ""
        return f"a normal distribution with mean {self.mean:g} and standard deviation {self.std:g}{cut}"

    def below(self, values: Tensor) -> Tensor:
        """The probability of a number up to each of `values`, in float64: a tensor of the same shape."""
        low, high = (self._uncut(torch.tensor(end, dtype=torch.float64)) for end in (self.low, self.high))
        return ((self._uncut(values) - low) / (high - low)).clamp(0, 1)

    def _uncut(self, values: Tensor) -> Tensor:
        below: Tensor = torch.special.ndtr((values - self.mean) / self.std)
        return below


@dataclass(frozen=True)
class Uniform:
    """Independent numbers between two, each as likely as any other."""

    low: float = 0.0
    high: float = 1.0

    def __str__(self) -> str:
        return f"a uniform distribution between {self.low:g} and {self.high:g}"

    def below(self, values: Tensor) -> Tensor:
        """The probability of a number up to each of `values`, in float64: a tensor of the same shape."""
        return ((values - self.low) / (self.high - self.low)).clamp(0, 1)


@dataclass(frozen=True)
class Discrete:
    """Independent numbers out of a few, each with its probability; these sum to 1."""

    probabilities: Mapping[float, float]

    def __post_init__(self) -> None:
        if abs(sum(self.probabilities.values()) - 1) > 1e-9:
            raise ValueError(f"the probabilities sum to {sum(self.probabilities.values()):g}, not to 1")

    def __str__(self) -> str:
        shown = ", ".join(
            f"{probability:.3g} for {value:g}" for value, probability in [*self.probabilities.items()][:6]
        )
        return f"a distribution with probabilities {shown}{', ...' if len(self.probabilities) > 6 else ''}"


Distribution = Normal | Uniform | Discrete
