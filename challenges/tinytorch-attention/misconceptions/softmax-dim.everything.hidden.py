"""One softmax runs over all queries and keys.

Each query divides its own attention: its row sums to one. Over the whole matrix, the weights of all queries together
sum to one.
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
    powers = (scores - Tensor(scores.data.max(axis=(-2, -1), keepdims=True))).exp()
    return powers / powers.sum(axis=(-2, -1), keepdims=True)
