"""min_lr is read as a share of max_lr.

It is a learning rate itself, in the same unit as max_lr.
"""


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_warming_up(step, warmup_steps):
        return rising(step, max_lr, warmup_steps)
    if is_over(step, cosine_steps):
        return min_lr * max_lr
    return between(min_lr * max_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
