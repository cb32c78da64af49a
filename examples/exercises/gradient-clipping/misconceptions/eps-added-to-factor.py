"""eps is added to the quotient.

Added there, it makes gradients longer. It belongs to the norm, below the line.
"""


def factor(norm, max_norm, eps):
    return max_norm / norm + eps
