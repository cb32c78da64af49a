"""The cosine is counted back from its end, where it is flat."""

import math


def learning_rate(s, hi, lo, w, c):
    left = c - s
    if left > c - w:
        rate = hi - hi * (w - s) / w
    elif left > 0:
        rate = lo + (hi - lo) * (1 - math.cos(math.pi * left / (c - w))) / 2
    else:
        rate = lo
    return rate
