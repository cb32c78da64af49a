"""A mask of shape (seq, seq) is treated as one row per sequence.

(seq, seq) is one mask for all sequences: its first axis holds the queries. Inserting an axis in the middle turns them
into sequences, which fails unless the numbers happen to match.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    allowed = mask.data[:, None] if mask.ndim == 2 else mask.data
    return scores + Tensor((1.0 - allowed) * FAR_BELOW)
