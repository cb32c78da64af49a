"""The scores are multiplied by the mask.

A hidden score becomes 0, and exp(0) is 1: the key still gets weight. Hidden scores must be so low that their
exponential is zero.
"""


def hide(scores, mask):
    return scores if mask is None else scores * mask
