"""The norm is that of the longest gradient.

All gradients together are longer than any of them. Add up the squares of all parameters before you take the root.
"""


def norm_of(gradients):
    return max((squares(gradient) for gradient in gradients), default=0) ** 0.5
