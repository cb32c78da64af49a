"""A single vector comes back with an axis more.

Your code puts a batch axis before a vector that has none, and leaves it there. The result has the shape of x.
"""


def narrow(y, x):
    return (y[None] if y.dim() == 1 else y).to(x.dtype)
