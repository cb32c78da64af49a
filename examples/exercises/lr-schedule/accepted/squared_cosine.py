"""By the formula of the half angle: a cosine squared needs no lifting."""

from math import cos, pi


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step >= max(warmup_steps, cosine_steps):
        return float(min_lr)
    if step < warmup_steps:
        return step * (max_lr / warmup_steps)
    angle = 0.5 * pi * (step - warmup_steps) / (cosine_steps - warmup_steps)
    high = cos(angle) ** 2
    return high * max_lr + (1 - high) * min_lr
