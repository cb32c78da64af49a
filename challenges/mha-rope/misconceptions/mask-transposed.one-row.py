"""A mask with one row for all queries is transposed.

It has fewer rows than there are queries, so your code assumes that it is the wrong way round. (..., 1, keys) is
intended: the one row applies to all queries, by broadcasting.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~(mask if mask.dim() < 2 or mask.shape[-2] == scores.shape[-2] else mask.mT), -math.inf)
