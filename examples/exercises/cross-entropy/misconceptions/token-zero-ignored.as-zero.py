"""The loss of targets of 0 is set to zero.

Number 0 is a token like any other here, no padding. All positions count.
"""


def losses(shifted, targets):
    return (log_sum(shifted) - chosen(shifted, targets)) * (targets != 0)
