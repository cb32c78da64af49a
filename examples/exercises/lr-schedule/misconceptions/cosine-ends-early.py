"""The cosine reaches min_lr one step too early.

The step before cosine_steps is the last of the cosine, and is still above min_lr. From warmup_steps to cosine_steps, how many steps are there?
"""


def progress(step, warmup_steps, cosine_steps):
    return (step - warmup_steps) / max(1, cosine_steps - warmup_steps - 1)
