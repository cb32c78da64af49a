"""The cosine is the real part of a point on the unit circle."""

import cmath


class Schedule:
    def __init__(self, max_lr, min_lr, warmup_steps, cosine_steps):
        self.rates = complex(max_lr).real, complex(min_lr).real
        self.borders = warmup_steps, cosine_steps

    def __call__(self, step):
        (high, low), (top, end) = self.rates, self.borders
        if step in range(top):
            return high * step / top
        if step in range(top, end):
            point = cmath.exp(1j * cmath.pi * (step - top) / (end - top))
            return low + (high - low) * (point.real + 1) / 2
        return low


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    return Schedule(max_lr, min_lr, warmup_steps, cosine_steps)(step)
