"""Wrong: the cosine runs through a whole wave (2 pi) and is back at max_lr before it ends."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return max_lr * step / warmup_steps
    if step < cosine_steps:
        x = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return min_lr + (max_lr - min_lr) * (1 + math.cos(math.tau * x)) / 2
    return float(min_lr)
