"""All features get the same factor.

Your weight reaches the result as a single number: its mean, or one of its entries. Each feature has a factor of its own.
"""


def apply_weight(x, weight):
    return x * weight[0]
