"""The warm-up is curved.

It rises along a wave, or a power of the step. The spec has a straight line: equal steps, equal rises.
"""


def warmed_up(step, warmup_steps):
    return 0.5 * (1 - math.cos(math.pi * step / warmup_steps))
