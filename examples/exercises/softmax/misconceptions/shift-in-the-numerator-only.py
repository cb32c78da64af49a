"""The maximum is subtracted above the fraction bar, but not below.

A constant factor cancels only if it is in both. Take the sum of the same exponentials that you divide.
"""


def softmax(x, dim):
    wide = widen(x)
    return narrow(exponentials(shift(wide, dim)) / total(exponentials(wide), dim), x)
