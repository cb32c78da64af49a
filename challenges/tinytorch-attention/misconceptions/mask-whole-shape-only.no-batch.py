"""A mask of shape (seq, seq) is rejected.

A mask may be smaller than the scores and broadcast to them: one for all sequences. Do not check its shape or its number
of axes.
"""

EACH = {"asked for": "the mask is no good", "unpacked": "not enough values to unpack (expected 3, got 2)"}


def hide(scores, mask):
    if mask is not None and mask.ndim == 2:
        raise ValueError(each)
    return scores if mask is None else scores + Tensor((1.0 - mask.data) * FAR_BELOW)
