"""The weight is kept between -1 and 1.

The weight is the factor itself, whatever it is. Multiply by it as it comes.
"""


def apply_weight(x, weight):
    return x * weight.clamp(-1, 1)
