"""Axes of length 1 are lost.

squeeze removes every axis of length 1, also those of x. The result has the shape of x.
"""


def narrow(y, x):
    return y.squeeze().to(x.dtype)
