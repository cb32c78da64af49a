"""Only the first {each} counts.

Every position has a loss, and the mean runs over all of them.
"""

EACH = {"sequence": 0, "position": -1}


def average(of_positions):
    if of_positions.dim() < (2 if each == 0 else 1):
        return of_positions.mean()
    return of_positions.select(each, 0).mean()
