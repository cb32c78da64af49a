"""Wrong: the warm-up is kept at or above min_lr by a max(), although its first steps may lie below."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        lr = step / warmup_steps * max_lr
    elif step < cosine_steps:
        x = (step - warmup_steps) / (cosine_steps - warmup_steps)
        lr = min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * x)) / 2
    else:
        lr = min_lr
    return float(max(lr, min_lr))
