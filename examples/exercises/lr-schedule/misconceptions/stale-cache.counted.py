"""Something is remembered between calls.

Calls are counted instead of looking at the step. A schedule is asked out of order where training goes on from a checkpoint, or two are in use: the step is in the arguments.
"""

CALLS = {}


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    key = max_lr, min_lr, warmup_steps, cosine_steps
    step = CALLS[key] = CALLS.get(key, step - 1) + 1
    if is_warming_up(step, warmup_steps):
        return rising(step, max_lr, warmup_steps)
    if is_over(step, cosine_steps):
        return final(min_lr)
    return between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
