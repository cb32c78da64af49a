"""The numbers are divided by the maximum.

Shares do not change when a number is subtracted from all, but they do when all are divided by one: differences become
smaller.
"""


def shift(x, dim):
    return x / largest(x, dim)
