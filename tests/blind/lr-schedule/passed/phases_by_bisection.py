"""A right schedule: bisect finds the phase, and a tuple of functions holds what it does."""
import math
from bisect import bisect_right


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    phases = (
        lambda: max_lr / warmup_steps * step,
        lambda: min_lr + (max_lr - min_lr) * (1 + math.cos((step - warmup_steps) * math.pi / (cosine_steps - warmup_steps))) / 2,
        lambda: min_lr,
    )
    return float(phases[bisect_right([warmup_steps, cosine_steps], step)]())
