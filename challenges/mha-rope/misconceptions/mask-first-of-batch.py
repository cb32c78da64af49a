"""Every sequence gets the first one's mask.

Each sequence in the batch has its own mask, as with padding of different lengths; yours all get the one at index 0. Let
broadcasting line up the axes of the mask.
"""


def hide(scores, mask):
    while mask is not None and mask.dim() > 2:
        mask = mask[0]
    return scores if mask is None else scores.masked_fill(~mask, -math.inf)
