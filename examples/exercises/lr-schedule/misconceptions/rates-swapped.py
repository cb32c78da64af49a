"""The two rates are exchanged.

The warm-up rises to min_lr, and the cosine ends at max_lr. The order of the parameters is step, max_lr, min_lr, warmup_steps, cosine_steps.
"""


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    max_lr, min_lr = min_lr, max_lr
    if is_warming_up(step, warmup_steps):
        return rising(step, max_lr, warmup_steps)
    if is_over(step, cosine_steps):
        return final(min_lr)
    return between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
