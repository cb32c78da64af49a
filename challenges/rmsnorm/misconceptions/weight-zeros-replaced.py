"""A weight of zeros is taken for no weight.

Zeros are a weight like any other, and switch all features off. Your code puts ones in their place: a weight is always
given.
"""


def apply_weight(x, weight):
    return x * (weight if weight.any() else torch.ones_like(weight))
