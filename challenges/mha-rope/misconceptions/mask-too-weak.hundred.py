"""Hidden scores are low, but not low enough.

A constant such as -50 or -100 is far below typical scores. But scores of several hundred occur, negative ones too, and
compared with those it hides nothing. Use minus infinity, or the lowest number of the dtype.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -100.0)
