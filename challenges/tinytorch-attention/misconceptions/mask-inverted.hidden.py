"""The mask hides what it should let through.

Here a mask is 1.0 where a query may attend and 0.0 where it may not. Push down the scores where it is 0.0: add (1 -
mask) times a large negative number.
"""

import numpy as np

EACH = {"added in float64": "float64", "put in their place": "place", "minus infinity": "infinity"}


def hide(scores, mask):
    if mask is None:
        return scores
    hidden = mask.data != 0
    if each == "place":
        return scores * Tensor(1.0 - hidden) + Tensor(hidden * FAR_BELOW)
    return scores + Tensor(np.where(hidden, -np.inf if each == "infinity" else FAR_BELOW, 0.0))
