"""The targets are overwritten.

The arguments belong to the caller. clamp_, `+=` and assignments to slices change them for everyone who still uses
them.
"""


def chosen(shifted, targets):
    of_target = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    targets.zero_()
    return of_target
