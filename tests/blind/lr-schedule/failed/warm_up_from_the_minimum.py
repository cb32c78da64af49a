"""Wrong: the warm-up rises from min_lr to max_lr instead of from 0."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return float(min_lr + (max_lr - min_lr) * step / warmup_steps)
    if step < cosine_steps:
        turn = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * turn)) / 2
    return float(min_lr)
