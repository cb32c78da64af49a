"""Hidden scores are not small enough.

A score of -10 is a usual one: a hidden token still gets a share, and all of it where the other scores are lower. Use
minus infinity, or the smallest number of the dtype.
"""


def hide(scores, mask):
    return scores.masked_fill(mask, -10.0)
