"""The mask has no effect on rows that leave only one token.

Such rows are not empty: all attention goes to that one token. The first row of a causal mask is one of them.
"""


def hide(scores, mask):
    if mask is None:
        return scores
    opened = (mask.data.sum(axis=-1, keepdims=True) <= 1) | (mask.data > 0)
    return scores + Tensor((1.0 - opened) * FAR_BELOW)
