"""A right schedule: progress as exact fractions, and a match statement over the phase."""
from fractions import Fraction
from math import cos, pi


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    match (step < warmup_steps, step < cosine_steps):
        case (True, _):
            return float(Fraction(step, warmup_steps) * Fraction(max_lr))
        case (False, True):
            bruch = Fraction(step - warmup_steps, cosine_steps - warmup_steps)
            höhe = (1 + cos(pi * float(bruch))) / 2
            return float(min_lr) + höhe * (float(max_lr) - float(min_lr))
        case _:
            return float(min_lr)
