"""cosine_steps is taken for the length of the cosine, but it is the step at which it ends."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step < warmup_steps + cosine_steps:
        progress = (step - warmup_steps) / cosine_steps
        return min_lr + 0.5 * (1 + math.cos(math.pi * progress)) * (max_lr - min_lr)
    return min_lr
