"""A mask of shape (1, seq, seq) is only applied to the first sequence.

An axis of size 1 stands for all sequences of the batch. Broadcasting does this; a loop over the mask's first axis does
not.
"""

import numpy as np


def hide(scores, mask):
    if mask is None:
        return scores
    allowed = mask.data
    if allowed.ndim == 3 and allowed.shape[0] < scores.shape[0]:
        allowed = np.concatenate([allowed, np.ones((scores.shape[0] - 1, *allowed.shape[1:]))])
    return scores + Tensor((1.0 - allowed) * FAR_BELOW)
