"""The maximum is subtracted from the target's logit, but not from the sum.

The logarithm of the sum is larger by the maximum then, and its exponentials can still overflow. Take both from what
you have shifted.
"""


def cross_entropy(logits, targets):
    wide = widen(logits)
    return narrow(average(log_sum(wide) - chosen(shift(wide), targets)), logits)
