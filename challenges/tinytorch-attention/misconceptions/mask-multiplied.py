"""The scores are multiplied by the mask.

A hidden score becomes 0, and exp(0) is 1: the key still gets its share. Hidden scores must go so far down that exp makes
zero of them.
"""


def hide(scores, mask):
    return scores if mask is None else scores * mask
