"""MultiHeadAttention does not pass its mask on.

The attention function can handle a mask, but forward never passes one. Pass it along, with an axis for the heads.
"""


def mask_for_heads(mask):
    return None
