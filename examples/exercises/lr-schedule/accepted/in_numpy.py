"""All three phases at once, of which one is chosen."""

import numpy as np


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    with np.errstate(divide="ignore", invalid="ignore"):
        now, top, end = np.float64(step), np.float64(warmup_steps), np.float64(cosine_steps)
        up = now / top * max_lr
        down = min_lr + (1 + np.cos(np.pi * (now - top) / (end - top))) / 2 * (max_lr - min_lr)
    return np.select([now < top, now < end], [up, down], default=min_lr).item()
