"""The warm-up is curved.

It rises with the square of the step. The spec has a straight line: equal steps, equal rises.
"""


def warmed_up(step, warmup_steps):
    return (step / warmup_steps) ** 2
