"""A boolean mask is refused.

Arithmetic such as 1 - mask is not defined for booleans, and raises. Turn the mask into one dtype first, whichever you
like to work with.
"""


def read_mask(mask):
    return (1 - mask) == 0
