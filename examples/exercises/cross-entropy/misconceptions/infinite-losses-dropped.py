"""Losses above {each} are left out or cut.

A surprise may be as large as it is: it is just there that a model has most to learn. Compute it so that it stays
finite.
"""

EACH = {"20": 20.0, "100": 100.0}


def losses(shifted, targets):
    return (log_sum(shifted) - chosen(shifted, targets)).clamp(max=each)
