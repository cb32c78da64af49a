"""A mask of shape (seq, seq) is taken for one row for each sequence.

(seq, seq) is one mask for all sequences: its first axis holds the queries. An axis put in the middle makes sequences of them,
which fails unless there are as many.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    allowed = mask.data[:, None] if mask.ndim == 2 else mask.data
    return scores + Tensor((1.0 - allowed) * FAR_BELOW)
