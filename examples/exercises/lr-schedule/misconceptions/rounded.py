"""The rate is rounded.

Learning rates such as 0.0003 have no digits to spare: rounded to a few decimals, all of a schedule may become the same. Round where it is printed.
"""


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_warming_up(step, warmup_steps):
        return round(rising(step, max_lr, warmup_steps), 4)
    if is_over(step, cosine_steps):
        return round(final(min_lr), 4)
    return round(between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps))), 4)
