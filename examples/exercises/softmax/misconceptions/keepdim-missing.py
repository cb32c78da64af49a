"""The {each} loses the axis dim.

Without keepdim=True the axis is gone, and broadcasting counts from the end: it lines the rest up with the wrong axes.
Where lengths are equal it does so without an error.
"""

EACH = {"sum": "sum", "maximum": "maximum"}


def largest(x, dim):
    return x.amax(dim=dim, keepdim=each != "maximum")


def total(e, dim):
    return e.sum(dim=dim, keepdim=each != "sum")
