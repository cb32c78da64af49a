"""The weight is added.

It is a factor for each feature. LayerNorm adds a bias, but RMSNorm has none.
"""


def apply_weight(x, weight):
    return x + weight
