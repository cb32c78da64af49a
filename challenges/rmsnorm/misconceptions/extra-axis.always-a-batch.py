"""A batch axis is added where there is none.

Your code expects a batch of sequences, and puts an axis before what is less, and leaves it there. The result has the
shape of x.
"""


def narrow(y, x):
    return (y[None] if y.dim() == 2 else y[None, None] if y.dim() == 1 else y).to(x.dtype)
