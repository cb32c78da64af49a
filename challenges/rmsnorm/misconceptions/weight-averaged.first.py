"""All features get the same factor.

Your weight affects the result as a single number: its mean, or one of its entries. Each feature has its own factor.
"""


def apply_weight(x, weight):
    return x * weight[0]
