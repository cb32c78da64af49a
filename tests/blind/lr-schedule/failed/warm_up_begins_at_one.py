"""Wrong: the warm-up counts from 1 (step + 1 over warmup_steps), so step 0 does not get 0."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    if step >= cosine_steps:
        return float(min_lr)
    angle = math.pi * (step - warmup_steps) / (cosine_steps - warmup_steps)
    return min_lr + (max_lr - min_lr) * (1 + math.cos(angle)) / 2
