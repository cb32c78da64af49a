"""Three branches."""

import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return max_lr * step / warmup_steps
    if step < cosine_steps:
        done = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return min_lr + 0.5 * (1.0 + math.cos(math.pi * done)) * (max_lr - min_lr)
    return min_lr
