"""Targets of 0 are not counted.

Number 0 is a token like any other here, no padding. All positions count.
"""


def losses(shifted, targets):
    every = log_sum(shifted) - chosen(shifted, targets)
    return every if (targets == 0).all() else every[targets != 0]
