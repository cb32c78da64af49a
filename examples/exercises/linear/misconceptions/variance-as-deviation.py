"""The variance is used as the standard deviation.

The standard deviation is the root of the variance. Your first values are too small, and a deep model's activations
vanish.
"""


def spread(in_features, out_features):
    return 2 / (in_features + out_features)
