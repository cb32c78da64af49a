"""The mask has another size than the scores.

The mask is as large as context_length, but x may have fewer tokens, and then the two do not fit. Take the
corner that belongs to the tokens which are there; nothing in forward may count on context_length.
"""


def own_mask(layer, tokens):
    return layer.mask
