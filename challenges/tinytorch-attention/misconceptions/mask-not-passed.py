"""MultiHeadAttention does not hand its mask on.

The attention function knows what to do with a mask, but forward never gives it one. Pass it along, with an axis for the
heads.
"""


def mask_for_heads(mask):
    return None
