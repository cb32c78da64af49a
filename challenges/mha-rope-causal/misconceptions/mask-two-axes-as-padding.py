"""A mask of two axes is taken for one of padding where there are as many sequences as queries.

Two axes always mean (queries, keys): one mask for all sequences. A mask of padding comes as (batch, 1, keys). Sizes that happen to
be equal tell nothing.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    if mask.dim() == 2 and mask.shape[0] == scores.shape[0] and scores.dim() > 2:
        mask = mask.reshape(-1, *(1,) * (scores.dim() - 2), mask.shape[-1])
    return scores.masked_fill(~mask, -math.inf)
