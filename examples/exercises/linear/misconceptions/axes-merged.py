"""The leading axes are merged into one.

Your code lays all vectors in rows, and does not give the result the leading axes of x again.
"""


def applied(x, weight):
    return x.reshape(-1, x.shape[-1]) @ weight.T
