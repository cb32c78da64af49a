"""After the cosine the rate is max_lr.

It jumps up again when training should be calmest. Which of the two rates does the cosine end with?
"""


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_warming_up(step, warmup_steps):
        return rising(step, max_lr, warmup_steps)
    if is_over(step, cosine_steps):
        return max_lr
    return between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
