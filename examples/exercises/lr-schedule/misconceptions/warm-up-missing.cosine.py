"""There is no warm-up.

The cosine's formula is used for the first steps too. While step is below warmup_steps, the rate rises in a straight line.
"""


def is_warming_up(step, warmup_steps):
    return False


def progress(step, warmup_steps, cosine_steps):
    return step / cosine_steps
