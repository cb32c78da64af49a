"""The root of d_model is used twice, or in the wrong place.

A vector divided by its length has numbers of size 1/sqrt(d_model); multiplied with the root of d_model they are of size
1. Where the mean is taken already, that root is too much.
"""


def normalise(x, eps):
    return x / root(mean_square(x), eps) * x.shape[-1] ** 0.5
