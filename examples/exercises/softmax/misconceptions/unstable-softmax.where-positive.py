"""The maximum is only subtracted where it is positive.

A row of numbers near -1000 has exponentials that are all zero, and so is their sum. The maximum of such a row is
negative, and must be subtracted as well.
"""


def largest(x, dim):
    return x.amax(dim=dim, keepdim=True).clamp(min=0)
