"""Without a cosine the step after the warm-up gets max_lr.

Where cosine_steps equals warmup_steps, that step is in the constant phase already, and gets min_lr.
"""


def is_warming_up(step, warmup_steps):
    return step < warmup_steps or step == warmup_steps > 0
