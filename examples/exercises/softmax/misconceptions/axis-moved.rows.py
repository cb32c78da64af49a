"""The numbers come back as rows of a matrix.

The result has the shape of x. Your code lays all rows below each other to work on them: give them the shape of x
again.
"""


def softmax(x, dim):
    return narrow(share(exponentials(shift(widen(x), dim)), dim), x).movedim(dim, -1).flatten(0, -2)
