"""Only a boolean mask is accepted.

Masks of 0 and 1 are just as often written as integers or floats, and masked_fill rejects those. Compare with 1, or
convert the mask to bool first.
"""


def read_mask(mask):
    return mask
