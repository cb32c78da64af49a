"""A buffer is created in forward, so a saved state_dict does not load.

Once the module has been used, its state_dict has a key that a new module does not have. Register buffers in __init__,
with the size that context_length requires; anything that forward creates for itself need not be saved.
"""


def keep_mask(layer, context_length):
    pass


def own_mask(layer, tokens):
    layer.register_buffer("mask", later_tokens(tokens))
    return layer.mask
