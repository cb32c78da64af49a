"""The norms of the parameters are added up, and a root is taken of that.

Under the last root there must be squares. You took a root of each sum of squares already: either do not, or square it again.
"""


def norm_of(gradients):
    return sum(squares(gradient) ** 0.5 for gradient in gradients) ** 0.5
