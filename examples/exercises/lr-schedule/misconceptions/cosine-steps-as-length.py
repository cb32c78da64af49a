"""cosine_steps is read as the length of the cosine.

It is the step at which the cosine ends, counted from the beginning of training. Yours ends warmup_steps later.
"""


def is_over(step, warmup_steps, cosine_steps):
    return step >= warmup_steps + cosine_steps


def progress(step, warmup_steps, cosine_steps):
    return (step - warmup_steps) / cosine_steps


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_warming_up(step, warmup_steps):
        return rising(step, max_lr, warmup_steps)
    if is_over(step, warmup_steps, cosine_steps):
        return final(min_lr)
    return between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
