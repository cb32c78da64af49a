"""The scores of hidden keys become -10.

exp(-10) is small but not zero, and when other scores are low too, the hidden key still gets noticeable weight. Use -1e9
or, better, minus infinity.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -10)
