"""A single vector comes back with an extra axis.

Your code adds an axis to a vector that has none, and leaves it there. The result has the leading axes of x.
"""


def applied(x, weight):
    y = x @ weight.T
    return y[None] if y.dim() == 1 else y
