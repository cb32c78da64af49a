"""There is no warm-up.

The first steps get max_lr, or the beginning of the cosine. While step is below warmup_steps, the rate rises in a straight line.
"""


def rising(step, max_lr, warmup_steps):
    return max_lr
