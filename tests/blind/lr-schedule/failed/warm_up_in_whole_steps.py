"""Wrong: the warm-up divides whole numbers with //, so the rate stays 0 until the warm-up ends."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return float(step // warmup_steps * max_lr)
    if step < cosine_steps:
        x = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * x)) / 2
    return float(min_lr)
