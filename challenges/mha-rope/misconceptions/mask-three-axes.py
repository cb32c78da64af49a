"""A mask of three axes gets an axis for the heads.

Masks are broadcast from the right: (heads, queries, keys) has one mask per head, for all sequences. Yours treats its
first axis as the sequences. Callers who mean sequences pass (batch, 1, queries, keys).
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~(mask.unsqueeze(1) if mask.dim() == 3 and scores.dim() == 4 else mask), -math.inf)
