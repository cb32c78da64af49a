"""The steps of the warm-up are not taken off the step.

The cosine is as long as it should be, and begins too far along: what it counts is how many steps have passed since the warm-up.
"""


def progress(step, warmup_steps, cosine_steps):
    return step / (cosine_steps - warmup_steps)
