"""The mask itself is added to the scores.

Adding 1 where a query may attend and 0 where it may not favours the allowed keys a little, but hides nothing. Hidden
scores must be so low that their exponential is zero.
"""


def hide(scores, mask):
    return scores if mask is None else scores + mask
