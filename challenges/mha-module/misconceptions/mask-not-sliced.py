"""Something is as long as context_length, and x is not.

The mask (or a view) is made for context_length tokens, but x may have fewer, and then the two do not fit. Take the
corner of the mask that belongs to the tokens which are there; nothing in forward may count on context_length.
"""


def own_mask(layer, tokens):
    return layer.mask
