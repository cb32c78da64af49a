"""The softmax runs over the batch.

dim=0 is the batch: the sequences compete with each other, although they should be independent. Each query divides its
attention among the keys: use the last axis, dim=-1.
"""

import numpy as np

EACH = {"added in float64": "float64", "put in their place": "place", "minus infinity": "infinity"}


def hide(scores, mask):
    if mask is None:
        return scores
    hidden = mask.data == 0
    if each == "place":
        return scores * Tensor(1.0 - hidden) + Tensor(hidden * FAR_BELOW)
    return scores + Tensor(np.where(hidden, -np.inf if each == "infinity" else FAR_BELOW, 0.0))


def weigh(scores):
    return Softmax()(scores, dim=0)
