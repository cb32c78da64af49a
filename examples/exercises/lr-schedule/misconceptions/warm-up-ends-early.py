"""The warm-up reaches max_lr one step too early.

A straight line from step 0 to step warmup_steps has warmup_steps parts, not one less.
"""


def warmed_up(step, warmup_steps):
    return step / max(1, warmup_steps - 1)
