"""Wrong: the cosine is divided by cosine_steps - warmup_steps - 1, so it reaches min_lr one step before cosine_steps."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step < cosine_steps:
        x = (step - warmup_steps) / max(cosine_steps - warmup_steps - 1, 1)
        return min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * x)) / 2
    return float(min_lr)
