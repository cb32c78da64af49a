"""The exponentials are not divided by their sum.

Shares add up to 1. What you return is the exponential of each number below its maximum.
"""


def share(e, dim):
    return e
