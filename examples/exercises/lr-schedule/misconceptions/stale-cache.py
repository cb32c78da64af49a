"""Something is remembered between calls.

Rates are kept by step alone, so another schedule gets the rates of the first one. Either keep nothing, or keep it by all five arguments.
"""

KEPT = {}


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if step not in KEPT:
        if is_warming_up(step, warmup_steps):
            KEPT[step] = rising(step, max_lr, warmup_steps)
        elif is_over(step, cosine_steps):
            KEPT[step] = final(min_lr)
        else:
            KEPT[step] = between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps)))
    return KEPT[step]
