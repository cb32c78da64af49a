"""Wrong: the cosine's progress is step / cosine_steps instead of being counted from the end of the warm-up, so it does not begin at max_lr."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step < cosine_steps:
        return min_lr + 0.5 * (1 + math.cos(math.pi * step / cosine_steps)) * (max_lr - min_lr)
    return float(min_lr)
