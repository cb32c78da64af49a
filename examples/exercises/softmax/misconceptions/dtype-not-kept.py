"""The result is always float32.

The result has the dtype of x: float64 and half precision too. Convert to the dtype of x, not to a fixed one.
"""


def narrow(y, x):
    return y.float()
