"""A right schedule with the half-angle formula: half of one plus the cosine is the square of the cosine of half the angle."""
from math import cos, pi


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step >= cosine_steps:
        return 1.0 * min_lr
    if step >= warmup_steps:
        share = cos(pi / 2 * (step - warmup_steps) / (cosine_steps - warmup_steps)) ** 2
        return share * max_lr + (1 - share) * min_lr
    return max_lr * step / warmup_steps
