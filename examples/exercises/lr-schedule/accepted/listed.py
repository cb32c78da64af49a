"""The whole schedule is made, and the step looked up in it."""

import math
from functools import cache


@cache
def rates(max_lr, min_lr, warmup_steps, cosine_steps):
    up = [max_lr * step / warmup_steps for step in range(warmup_steps)]
    length = cosine_steps - warmup_steps
    down = [min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * step / length)) / 2 for step in range(length)]
    return (*up, *down, min_lr)


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    schedule = rates(max_lr, min_lr, warmup_steps, cosine_steps)
    return schedule[min(step, len(schedule) - 1)]
