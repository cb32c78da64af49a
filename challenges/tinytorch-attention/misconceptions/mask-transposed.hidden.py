"""The mask is transposed.

Rows of the mask are queries, columns are keys, as in the scores. Transposed, a causal mask lets each token see what
comes after it.
"""

import numpy as np

EACH = {"added in float64": "float64", "put in their place": "place", "minus infinity": "infinity"}


def hide(scores, mask):
    if mask is None:
        return scores
    hidden = mask.data.swapaxes(-2, -1) == 0
    if each == "place":
        return scores * Tensor(1.0 - hidden) + Tensor(hidden * FAR_BELOW)
    return scores + Tensor(np.where(hidden, -np.inf if each == "infinity" else FAR_BELOW, 0.0))
