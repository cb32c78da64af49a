"""Large values overflow.

exp(100) is too large for float32: it becomes infinite, and infinity divided by infinity is not a number. Shares depend
on differences only, so something may be taken off every value of a row before the exponential.
"""


def shift(x):
    return x
