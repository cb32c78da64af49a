"""Without a cosine the step after the warm-up gets max_lr.

The division by zero is avoided, but what comes out is the beginning of the cosine. Where cosine_steps equals warmup_steps, that step gets min_lr.
"""


def is_over(step, cosine_steps):
    return step > cosine_steps


def progress(step, warmup_steps, cosine_steps):
    return (step - warmup_steps) / max(1, cosine_steps - warmup_steps)
