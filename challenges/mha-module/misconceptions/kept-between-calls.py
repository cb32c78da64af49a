"""The mask of the first call is kept for later ones.

The first sequence may be short. If the next one is longer, the mask does not fit, or its last tokens are not masked.
Create the mask for context_length tokens in __init__ and take a corner of it in each call, or create a new one each
time.
"""


def own_mask(layer, tokens):
    if not hasattr(layer, "kept"):
        layer.kept = layer.mask[:tokens, :tokens]
    return layer.kept[:tokens, :tokens]
