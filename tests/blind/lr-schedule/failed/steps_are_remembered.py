"""Wrong: remembers the lowest rate since the warm-up and never returns a higher one, so steps that are asked for in another order or with other settings get wrong rates."""
import math

_lowest = {}


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    if step >= cosine_steps:
        rate = float(min_lr)
    else:
        x = (step - warmup_steps) / (cosine_steps - warmup_steps)
        rate = min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * x)) / 2
    key = (max_lr, min_lr, warmup_steps, cosine_steps)
    _lowest[key] = min(rate, _lowest.get(key, rate))
    return _lowest[key]
