"""The cosine begins one step ahead.

Step warmup_steps gets max_lr exactly: of the cosine, nothing is done by then.
"""


def progress(step, warmup_steps, cosine_steps):
    return (step - warmup_steps + 1) / (cosine_steps - warmup_steps)
