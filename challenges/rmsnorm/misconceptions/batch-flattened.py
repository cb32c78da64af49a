"""The leading axes are merged into one.

Your code merges {each} into one axis and does not separate them again at the end. The result has the shape of x.
"""

EACH = {"all leading axes": (0, -2), "all but the first": (1, -2), "the first two": (0, 1)}


def narrow(y, x):
    return (y.flatten(*each) if y.dim() > 2 else y).to(x.dtype)
