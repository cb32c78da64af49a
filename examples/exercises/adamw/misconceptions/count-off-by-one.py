"""The steps are counted from two.

In the first step the exponent of the bias correction is already 2, so the correction is too weak. Count first and correct after, or start at one: not both.
"""


def corrected(average, beta, count):
    return average / (1 - beta ** (count + 1))
