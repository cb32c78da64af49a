"""No branches: shares that are held between 0 and 1."""

import math


def clamp(value):
    return min(max(value, 0.0), 1.0)


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    warmed = clamp(step / warmup_steps) if warmup_steps else 1.0
    length = cosine_steps - warmup_steps
    fallen = clamp((step - warmup_steps) / length) if length else float(step >= cosine_steps)
    wave = math.cos(math.pi * fallen)
    middle, swing = (max_lr + min_lr) / 2, (max_lr - min_lr) / 2
    return middle + swing * wave if warmed == 1.0 else warmed * max_lr
