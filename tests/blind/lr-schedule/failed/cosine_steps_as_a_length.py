"""Wrong: cosine_steps is taken for how long the cosine takes, so it ends at warmup_steps + cosine_steps."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    since = step - warmup_steps
    if since >= cosine_steps:
        return float(min_lr)
    return min_lr + 0.5 * (1 + math.cos(math.pi * since / cosine_steps)) * (max_lr - min_lr)
