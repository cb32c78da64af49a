"""The root is not taken.

The sum of the squares is no length: compare its size with that of max_norm for a gradient of a single number.
"""


def norm_of(gradients):
    return sum(squares(gradient) for gradient in gradients)
