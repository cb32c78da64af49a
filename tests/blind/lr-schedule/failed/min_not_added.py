"""The cosine falls to 0 instead of min_lr: min_lr is only used at the end."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step < cosine_steps:
        progress = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return 0.5 * (1 + math.cos(math.pi * progress)) * max_lr
    return min_lr
