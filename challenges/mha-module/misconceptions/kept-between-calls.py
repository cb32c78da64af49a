"""The mask of the first call is kept for later ones.

The first sequence may be short; the next one is longer, and finds a mask that does not fit, or has its last tokens
uncovered. Make the mask for context_length tokens in __init__ and take a corner of it at each call, or make it anew.
"""


def own_mask(layer, tokens):
    if not hasattr(layer, "kept"):
        layer.kept = layer.mask[:tokens, :tokens]
    return layer.kept[:tokens, :tokens]
