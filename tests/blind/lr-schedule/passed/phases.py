"""Linear warm-up, half a cosine, constant."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Phase:
    end: float
    rate: Callable[[int], float]


def _phases(max_lr: float, min_lr: float, warmup: int, cosine: int) -> list[Phase]:
    def rising(step: int) -> float:
        return max_lr * (step / warmup)

    def falling(step: int) -> float:
        angle = math.pi * (step - warmup) / (cosine - warmup)
        return (max_lr + min_lr) / 2 + (max_lr - min_lr) / 2 * math.cos(angle)

    return [Phase(warmup, rising), Phase(cosine, falling), Phase(math.inf, lambda step: min_lr)]


def learning_rate(step: int, max_lr: float, min_lr: float, warmup_steps: int, cosine_steps: int) -> float:
    for phase in _phases(max_lr, min_lr, warmup_steps, cosine_steps):
        if step < phase.end:
            return phase.rate(step)
    raise AssertionError("the last phase never ends")
