"""The mask is made from the scores.

Whatever is zero in the lower triangle of the scores is hidden. A token of zeros, such as padding, has scores of exactly zero
without being later: others do not see it, and it sees nothing at all. Make the mask of ones: it depends on places alone.
"""


def hide(scores, mask):
    return scores.masked_fill(scores.tril() == 0, -1e9)
