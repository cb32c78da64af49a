"""The phase is looked up by its border."""

import math
from bisect import bisect_right
from fractions import Fraction


def warm_up(share, high, low):
    return float(share) * high


def cosine(share, high, low):
    return low + (high - low) * math.cos(math.pi * float(share) / 2) ** 2


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    borders = [0, warmup_steps, cosine_steps]
    phase = bisect_right(borders, step)
    if phase == len(borders):
        return min_lr
    begin, end = borders[phase - 1], borders[phase]
    share = Fraction(step - begin, end - begin)
    return {1: warm_up, 2: cosine}[phase](share, max_lr, min_lr)
