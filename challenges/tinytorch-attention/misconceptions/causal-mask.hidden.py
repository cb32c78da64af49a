"""A causal mask is always applied.

Every token sees only itself and the tokens before it, even without a mask. In this exercise the mask is an argument:
without one, every token sees every token.
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


def attend(Q, K, V, mask):
    seq = Q.shape[-2]
    causal = [[float(key <= query) for key in range(seq)] for query in range(seq)]
    both = causal if mask is None else mask.data * causal
    output, _ = scaled_dot_product_attention(Q, K, V, Tensor(both))
    return output
