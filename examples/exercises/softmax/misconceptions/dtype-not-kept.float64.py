"""The result is always float64.

The result has the dtype of x. Convert to it at the end.
"""


def narrow(y, x):
    return y.double()
