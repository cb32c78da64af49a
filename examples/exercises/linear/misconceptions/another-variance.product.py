"""The variance is divided by the product of the sizes.

It is 2 divided by their sum. With the product, all first values are close to zero.
"""


def spread(in_features, out_features):
    return math.sqrt(2 / (in_features * out_features))
