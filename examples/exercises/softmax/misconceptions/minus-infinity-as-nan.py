"""Rows with minus infinity become NaN.

Minus infinity times zero is not a number, and neither is the difference of two infinities. Use nothing but the
difference from a finite maximum and the exponential.
"""


def shift(x, dim):
    return x - largest(x, dim) + 0 * x
