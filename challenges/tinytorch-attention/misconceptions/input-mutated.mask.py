"""The mask is changed.

The caller still needs the mask, often for the next layer. Writing into mask.data changes the caller's Tensor: compute a
new array from it.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    mask.data[...] = (1.0 - mask.data) * FAR_BELOW
    return scores + mask
