"""Hidden scores are not small enough.

A constant such as -100 is far below usual scores, but scores of several hundred exist, and next to those it
hides nothing. Use minus infinity, or the smallest number of the dtype.
"""


def hide(scores, mask):
    return scores.masked_fill(mask, -100.0)
