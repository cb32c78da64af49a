"""The mask itself is added to the scores.

Adding 1 where a query may attend and 0 where it may not prefers the allowed keys a little, and hides nothing. Hidden scores
must go so far down that exp makes zero of them.
"""


def hide(scores, mask):
    return scores if mask is None else scores + mask
