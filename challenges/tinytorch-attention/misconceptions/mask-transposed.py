"""The mask is transposed.

Rows of the mask are queries, columns are keys, as in the scores. Transposed, a causal mask lets each token see what
comes after it.
"""


def hide(scores, mask):
    return scores if mask is None else scores + Tensor((1.0 - mask.data.swapaxes(-2, -1)) * FAR_BELOW)
