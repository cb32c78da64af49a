"""The maximum is subtracted from the sum, but not from the target's logit.

The logarithm of the sum is smaller by the maximum then. Add it again, or take the target's logit from what you have
shifted.
"""


def cross_entropy(logits, targets):
    wide = widen(logits)
    return narrow(average(log_sum(shift(wide)) - chosen(wide, targets)), logits)
