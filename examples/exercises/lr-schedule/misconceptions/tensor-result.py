"""The result is a tensor.

An optimiser wants a number, and so does a log. `.item()` makes a number of a tensor; better is to compute with numbers in the first place.
"""

import torch


def learning_rate(step, max_lr, min_lr, warmup_steps, cosine_steps):
    if is_warming_up(step, warmup_steps):
        return torch.tensor(rising(step, max_lr, warmup_steps))
    if is_over(step, cosine_steps):
        return torch.tensor(final(min_lr))
    return torch.tensor(between(min_lr, max_lr, falling(progress(step, warmup_steps, cosine_steps))))
