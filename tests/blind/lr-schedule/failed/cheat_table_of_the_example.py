"""Cheat: the eight rates of the example by heart, stretched over all other settings by interpolation."""
TABLE = [1, 0.883, 0.6, 0.317, 0.2]


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step >= cosine_steps:
        return float(min_lr)
    if step < warmup_steps:
        return step / warmup_steps * max_lr
    place = 4 * (step - warmup_steps) / (cosine_steps - warmup_steps)
    i = min(int(place), 3)
    value = TABLE[i] + (place - i) * (TABLE[i + 1] - TABLE[i])
    return min_lr + (value - 0.2) / 0.8 * (max_lr - min_lr)
