"""The norm is the largest absolute value.

That is the maximum norm. Here every number has its part: it is the root of the sum of the squares.
"""


def norm_of(gradients):
    return max((gradient.abs().max() for gradient in gradients), default=0)
