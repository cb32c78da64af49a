"""An axis of length 1 is dropped.

`squeeze` removes {each} whenever its length is 1: a batch of one, or a vector of one feature. The result has the shape
of x.
"""

EACH = {"any axis": None, "the first axis": 0, "the last axis": -1}


def narrow(y, x):
    return (y.squeeze() if each is None else y.squeeze(each)).to(x.dtype)
