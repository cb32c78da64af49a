"""The mask is inverted.

In this exercise True means that a query may attend; False means that the key is hidden. Your
scaled_dot_product_attention hides where the mask is True.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(mask, -1e9)
