"""The attention function is always causal.

Every token sees only itself and the tokens before it, even without a mask. In this exercise the mask is an argument:
without one, every token sees every token.
"""

import numpy as np

EACH = {"added in float64": "float64", "put in their place": "place", "minus infinity": "infinity"}


def hide(scores, mask):
    place = np.arange(scores.shape[-1])
    hidden = place > place[:, None] if mask is None else (place > place[:, None]) | (mask.data == 0)
    if each == "place":
        return scores * Tensor(1.0 - hidden) + Tensor(hidden * FAR_BELOW)
    return scores + Tensor(np.where(hidden, -np.inf if each == "infinity" else FAR_BELOW, 0.0))
