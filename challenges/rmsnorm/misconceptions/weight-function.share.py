"""The weight is divided by its sum.

The weight is the factor itself, whatever its value: negative, zero or large. Multiply by it as it is.
"""


def apply_weight(x, weight):
    return x * (weight / weight.sum())
