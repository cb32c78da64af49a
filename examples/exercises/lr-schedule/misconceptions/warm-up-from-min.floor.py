"""The warm-up begins at min_lr.

The rate is kept from falling below min_lr in the warm-up too. There it begins at 0, and the first steps may be smaller than min_lr.
"""


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_warming_up(step, warmup_steps):
        return max(min_lr, rising(step, max_lr, warmup_steps))
    if is_over(step, cosine_steps):
        return final(min_lr)
    return between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
