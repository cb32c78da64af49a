"""Wrong: `min_lr or max_lr / 10` takes a min_lr of 0 for one that was left out."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    floor = min_lr or max_lr / 10
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step < cosine_steps:
        x = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return floor + (max_lr - floor) * (1 + math.cos(math.pi * x)) / 2
    return float(floor)
