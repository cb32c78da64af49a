"""Wrong: the cosine runs to 0 and is then cut at min_lr with max(), instead of running to min_lr."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step >= cosine_steps:
        return float(min_lr)
    x = (step - warmup_steps) / (cosine_steps - warmup_steps)
    return float(max(min_lr, max_lr * (1 + math.cos(math.pi * x)) / 2))
