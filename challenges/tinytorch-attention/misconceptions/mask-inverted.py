"""The mask hides what it should let through.

Here a mask is 1.0 where a query may attend and 0.0 where it may not. Push down the scores where it is 0.0: add (1 -
mask) times a large negative number.
"""


def hide(scores, mask):
    return scores if mask is None else scores + Tensor(mask.data * FAR_BELOW)
