"""The end is tested with max(1, ...): a cosine of length 0 is taken to have length 1, so step warmup_steps gets max_lr instead of min_lr."""
import math


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return max_lr * step / warmup_steps
    length = max(1, cosine_steps - warmup_steps)
    progress = min(1.0, (step - warmup_steps) / length)
    return min_lr + 0.5 * (1 + math.cos(math.pi * progress)) * (max_lr - min_lr)
