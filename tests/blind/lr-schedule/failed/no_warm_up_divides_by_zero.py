"""Wrong: `step <= warmup_steps` counts step warmup_steps to the warm-up, so with warmup_steps = 0 step 0 divides by zero, and with equal bounds it gets max_lr."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step <= warmup_steps:
        return step / warmup_steps * max_lr
    if step < cosine_steps:
        fraction = (step - warmup_steps) / (cosine_steps - warmup_steps)
        return min_lr + (max_lr - min_lr) * 0.5 * (1 + math.cos(math.pi * fraction))
    return float(min_lr)
