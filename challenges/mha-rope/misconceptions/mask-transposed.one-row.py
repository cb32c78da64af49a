"""A mask with one row for all queries is stood on end.

Its rows are not as many as the queries, so it is taken for one that lies the wrong way. (..., 1, keys) is meant as it is: the one
row serves all queries, by broadcasting.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~(mask if mask.dim() < 2 or mask.shape[-2] == scores.shape[-2] else mask.mT), -math.inf)
