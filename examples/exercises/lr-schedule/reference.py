"""A learning-rate schedule in named steps. Each is one decision that a student can get wrong."""

import math


def is_warming_up(step, warmup_steps):
    """Step `warmup_steps` is no part of it, so there may be no warm-up at all."""
    return step < warmup_steps


def is_over(step, cosine_steps):
    """Step `cosine_steps` has the constant rate, so there may be no cosine at all."""
    return step >= cosine_steps


def warmed_up(step, warmup_steps):
    """The share of the warm-up that is done: 0 at the first step."""
    return step / warmup_steps


def progress(step, warmup_steps, cosine_steps):
    """The share of the cosine that is done: it begins where the warm-up ends."""
    return (step - warmup_steps) / (cosine_steps - warmup_steps)


def falling(share):
    """From 1 to 0 along half a wave."""
    return 0.5 * (1 + math.cos(math.pi * share))


def between(min_lr, max_lr, share):
    """So far above the smallest rate."""
    return min_lr + share * (max_lr - min_lr)


def rising(step, max_lr, warmup_steps):
    """From zero to the largest rate: the smallest one has no part in it."""
    return warmed_up(step, warmup_steps) * max_lr


def final(min_lr):
    """Once the cosine is over."""
    return float(min_lr)


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_warming_up(step, warmup_steps):
        return rising(step, max_lr, warmup_steps)
    if is_over(step, cosine_steps):
        return final(min_lr)
    return between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
