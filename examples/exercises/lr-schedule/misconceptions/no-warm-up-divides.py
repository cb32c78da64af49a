"""Without a warm-up it divides by zero.

With warmup_steps = 0 no step is below it, so the formula of the warm-up must not be reached. Look at the comparison.
"""


def is_warming_up(step, warmup_steps):
    return step <= warmup_steps
