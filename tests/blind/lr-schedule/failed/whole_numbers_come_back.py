"""Wrong: with rates that are whole numbers, the last phase returns min_lr as it came, an int and not a float."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step < cosine_steps:
        x = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * x)) / 2
    return min_lr
