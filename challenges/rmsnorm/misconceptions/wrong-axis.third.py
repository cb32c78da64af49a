"""The mean runs over axis 2.

Axis 2 only holds the features when x has three axes. The exercise allows any number of leading axes, or none. Count
from the end: the features are the last axis, -1.
"""


def mean_square(x):
    return x.square().mean(dim=2, keepdim=True)
