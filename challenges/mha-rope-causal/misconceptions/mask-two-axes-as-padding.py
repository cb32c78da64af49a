"""A mask with two axes is treated as a padding mask when there are as many sequences as queries.

Two axes always mean (queries, keys): one mask for all sequences. A padding mask has shape (batch, 1, keys), or (batch,
1, 1, keys) with heads. Sizes that happen to be equal prove nothing.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    if mask.dim() == 2 and mask.shape[0] == scores.shape[0] and scores.dim() > 2:
        mask = mask.reshape(-1, *(1,) * (scores.dim() - 2), mask.shape[-1])
    return scores.masked_fill(~mask, -math.inf)
