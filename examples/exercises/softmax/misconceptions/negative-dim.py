"""A negative dim is always taken for the last axis.

-2 is the axis before the last, and -3 the one before that. torch's functions count so themselves: pass dim on as it
is.
"""


def largest(x, dim):
    return x.amax(dim=max(dim, -1), keepdim=True)


def total(e, dim):
    return e.sum(dim=max(dim, -1), keepdim=True)
