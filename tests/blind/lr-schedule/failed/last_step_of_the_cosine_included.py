"""Wrong: `step <= cosine_steps` still divides by the length of the cosine, so equal bounds raise ZeroDivisionError at that step."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return max_lr * step / warmup_steps
    if step <= cosine_steps:
        x = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return float(min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * x)) / 2)
    return float(min_lr)
