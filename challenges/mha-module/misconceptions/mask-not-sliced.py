"""Something has length context_length, but x is shorter.

The mask (or a view) is made for context_length tokens, but x may have fewer, and then the sizes do not match. Take the
corner of the mask for the tokens that are there; nothing in forward may rely on context_length.
"""


def own_mask(layer, tokens):
    return layer.mask
