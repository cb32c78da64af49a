"""Every head gets the first one's mask.

A mask (batch, heads, queries, keys) may differ from head to head; yours all get the one at index 0. Let broadcasting
line up the axes of the mask.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    return scores.masked_fill(~(mask[..., :1, :, :] if mask.dim() > 3 else mask), -math.inf)
