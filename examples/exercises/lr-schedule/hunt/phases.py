"""The schedule, with a function for each phase."""

from math import cos, pi


def climb(step, top, length):
    """Up from nothing."""
    fraction = step / length
    return fraction * top


def descent(steps_down, length, top, floor):
    """Down along half a wave."""
    angle = pi * steps_down / length
    height = (1.0 + cos(angle)) / 2.0
    span = top - floor
    return floor + height * span


def phase_of(step, warmup_steps, cosine_steps):
    """Which of the three."""
    if step < warmup_steps:
        return "climb"
    if step < cosine_steps:
        return "descent"
    return "plain"


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    """Ask the phase that the step is in."""
    phase = phase_of(step, warmup_steps, cosine_steps)
    if phase == "climb":
        return climb(step, max_lr, warmup_steps)
    if phase == "descent":
        steps_down = step - warmup_steps
        length = cosine_steps - warmup_steps
        return descent(steps_down, length, max_lr, min_lr)
    return min_lr
