"""The mask is subtracted from the scores.

Hidden keys must end up with a weight of zero. Subtracting 1 where a query may attend makes those keys less likely, and
hides nothing.
"""


def hide(scores, mask):
    return scores if mask is None else scores - mask
