"""The weight is added.

It is a factor for each feature. What is added in LayerNorm is its bias, and RMSNorm has none.
"""


def apply_weight(x, weight):
    return x + weight
