"""Hidden scores are not low enough.

A constant such as -100 is far below typical scores, but scores of several hundred occur, and compared with those it
hides nothing. Use minus infinity, or the lowest number of the dtype.
"""


def hide(scores, mask):
    return scores.masked_fill(mask, -100.0)
