"""The root of d_model is used twice, or in the wrong place.

A vector divided by its length has entries of size 1/sqrt(d_model); multiplied by the root of d_model, they have size 1.
If you already take the mean, leave that factor out.
"""


def normalise(x, eps):
    return x / root(mean_square(x), eps) * x.shape[-1] ** 0.5
