"""Without a warm-up step 0 gets a rate of 0.

warmup_steps = 0 means that training begins with max_lr. What keeps a division from failing must not make a warm-up out of none.
"""


def is_warming_up(step, warmup_steps):
    return step < warmup_steps or step == 0


def warmed_up(step, warmup_steps):
    return step / max(1, warmup_steps)
