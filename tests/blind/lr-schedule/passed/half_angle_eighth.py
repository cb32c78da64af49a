from math import cos, pi


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    """(1 + cos a) / 2 is the square of cos(a / 2)."""
    if step >= cosine_steps:
        return min_lr
    if step >= warmup_steps:
        share = cos(pi / 2 * (step - warmup_steps) / (cosine_steps - warmup_steps)) ** 2
        return share * max_lr + (1 - share) * min_lr
    return max_lr * step / warmup_steps
