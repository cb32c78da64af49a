"""A right schedule: the cosine is the real part of a point that turns half around the unit circle."""
import cmath
from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    max_lr: float
    min_lr: float
    warmup_steps: int
    cosine_steps: int

    def warm_up(self, step: int) -> float:
        return self.max_lr * (step / self.warmup_steps)

    def wave(self, step: int) -> float:
        part = (step - self.warmup_steps) / (self.cosine_steps - self.warmup_steps)
        point = cmath.exp(1j * cmath.pi * part)
        middle, radius = (self.max_lr + self.min_lr) / 2, (self.max_lr - self.min_lr) / 2
        return middle + radius * point.real

    def at(self, step: int) -> float:
        if step < self.warmup_steps:
            return self.warm_up(step)
        return self.wave(step) if step < self.cosine_steps else float(self.min_lr)


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    return Schedule(max_lr, min_lr, warmup_steps, cosine_steps).at(step)
