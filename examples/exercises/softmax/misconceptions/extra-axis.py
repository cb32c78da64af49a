"""A vector comes back with an extra axis.

Your code adds an axis to a tensor that has only one, and leaves it there. The result has the shape of x.
"""


def narrow(y, x):
    return (y[None] if y.dim() == 1 else y).to(x.dtype)
