"""Hidden scores are not low enough.

A score of -10 is an ordinary score: a hidden token still gets some weight, or even all of it when the other scores are
lower. Use minus infinity, or the lowest number of the dtype.
"""


def hide(scores, mask):
    return scores.masked_fill(mask, -10.0)
