"""A weight of zeros is treated as no weight.

Zeros are a weight like any other and switch all features off. Your code replaces them with ones, but a weight is always
given.
"""


def apply_weight(x, weight):
    return x * (weight if weight.any() else torch.ones_like(weight))
