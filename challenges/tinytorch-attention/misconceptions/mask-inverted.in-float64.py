"""The mask hides what it should let through.

Here a mask is 1.0 where a query may attend and 0.0 where it may not. What is pushed far down are the places with 1.0;
it should be those with 0.0, so (1 - mask) times a large negative number.
"""


def hide(scores, mask):
    return scores if mask is None else scores + Tensor(mask.data.astype("float64") * FAR_BELOW)
