"""The wave goes on after its end.

From step cosine_steps on the rate is min_lr, and it does not rise again.
"""


def is_over(step, cosine_steps):
    return False


def progress(step, warmup_steps, cosine_steps):
    return (step - warmup_steps) / max(1, cosine_steps - warmup_steps)
