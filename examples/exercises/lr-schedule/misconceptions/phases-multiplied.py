"""The warm-up multiplies a cosine that begins at step 0.

Its top is then below max_lr. The two phases follow each other: in the warm-up there is no cosine.
"""


def is_warming_up(step, warmup_steps):
    return False


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_over(step, cosine_steps):
        return final(min_lr)
    share = min(1.0, warmed_up(step, max(1, warmup_steps)) if warmup_steps else 1.0)
    return share * between(min_lr, max_lr, falling(step / cosine_steps))
