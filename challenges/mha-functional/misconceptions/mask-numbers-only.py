"""A boolean mask is rejected.

Arithmetic such as 1 - mask is not defined for booleans and raises an error. Convert the mask to the dtype you want to
work with first.
"""


def read_mask(mask):
    return (1 - mask) == 0
