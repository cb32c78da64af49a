"""The mask is transposed.

mask[i, j] says whether query i may attend to key j: its axes are those of the scores, (queries, keys), so use it as it
is.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask.mT, -math.inf)
