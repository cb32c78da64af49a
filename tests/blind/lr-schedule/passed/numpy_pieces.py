"""A right schedule with NumPy: sine of the distance from the middle instead of a cosine, and .item() at the end."""
import numpy as np


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    t = np.float64(step)
    if cosine_steps <= step:
        value = np.float64(min_lr)
    elif warmup_steps <= step:
        middle = (warmup_steps + cosine_steps) / 2
        half = (cosine_steps - warmup_steps) / 2
        value = (max_lr + min_lr) / 2 - np.sin((t - middle) / half * np.pi / 2) * (max_lr - min_lr) / 2
    else:
        value = np.interp(t, [0, warmup_steps], [0.0, max_lr])
    return np.float64(value).item()
