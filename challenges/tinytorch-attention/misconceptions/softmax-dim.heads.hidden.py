"""The softmax runs over the second axis, whatever it is.

With scores of shape (batch, heads, seq, seq), dim=1 is the axis of the heads, and heads compete with each other. Each
query divides its attention among the keys: count from the end, dim=-1.
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
    return Softmax()(scores, dim=1)
