"""Only a boolean mask is accepted.

Masks of 0 and 1 are written as integers or floats just as often, and masked_fill refuses those. Compare with 1, or
turn the mask into a boolean one first.
"""


def read_mask(mask):
    return mask
