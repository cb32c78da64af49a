"""The weight is multiplied twice.

Each feature is multiplied by its weight once, at the end.
"""


def apply_weight(x, weight):
    return x * weight * weight
