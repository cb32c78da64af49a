"""The weight is not used.

Normalised, all features are of one size. The weight is what lets the model say which of them count; the last step is to
multiply each feature by its own.
"""


def apply_weight(x, weight):
    return x
