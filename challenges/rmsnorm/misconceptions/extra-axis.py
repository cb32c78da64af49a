"""A single vector comes back with an extra axis.

Your code adds a batch axis to a vector that has none and leaves it there. The result has the shape of x.
"""


def narrow(y, x):
    return (y[None] if y.dim() == 1 else y).to(x.dtype)
