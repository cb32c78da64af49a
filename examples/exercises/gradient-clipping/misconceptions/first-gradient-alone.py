"""The norm is that of the first gradient.

The loop ends after one pass: look at the indentation of its last line. The squares of all parameters have to be added up.
"""


def norm_of(gradients):
    return squares(gradients[0]) ** 0.5 if gradients else 0.0
