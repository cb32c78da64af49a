"""Large numbers overflow.

exp of 100 is infinite in float32, and infinity divided by infinity is not a number; exp of -200 is zero, and so is
the sum then. Shares depend on differences only, so something may be subtracted from every number of a row before the
exponential.
"""


def shift(x, dim):
    return x
