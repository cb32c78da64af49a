"""The sum of the losses is divided by the size of the vocabulary as well.

Each position has one target, so there are as many losses as positions. `.mean()` over a tensor that is zero
everywhere but at the targets counts the zeros, too.
"""


def losses(shifted, targets):
    return (log_sum(shifted) - chosen(shifted, targets)) / shifted.shape[-1]
