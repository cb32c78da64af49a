"""The mask is read the wrong way round.

In this exercise True means that a query may attend; what is False is hidden.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(mask, -math.inf)
