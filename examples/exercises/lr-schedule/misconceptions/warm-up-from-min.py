"""The warm-up begins at min_lr.

It rises from 0. What min_lr says is where the cosine ends, and the first steps may be smaller.
"""


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_warming_up(step, warmup_steps):
        return min_lr + warmed_up(step, warmup_steps) * (max_lr - min_lr)
    if is_over(step, cosine_steps):
        return final(min_lr)
    return between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
