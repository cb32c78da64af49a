"""eps is always 1e-6.

The argument is not used. It matters where it is given, and is not small beside the norm.
"""


def factor(norm, max_norm, eps):
    return max_norm / (norm + 1e-6)
