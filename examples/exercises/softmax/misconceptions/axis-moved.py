"""The axes come back in another order.

The result has the shape of x, axis by axis. Your code moves the axis dim to the end to work there: move it back
afterwards.
"""


def narrow(y, x):
    return y.to(x.dtype)


def softmax(x, dim):
    return narrow(share(exponentials(shift(widen(x), dim)), dim), x).movedim(dim, -1)
