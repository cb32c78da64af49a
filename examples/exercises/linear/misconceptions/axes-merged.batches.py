"""The first two axes are merged into one.

The result has all the leading axes of x. Your code merges the first two where there are three or more.
"""


def applied(x, weight):
    y = x @ weight.T
    return y.flatten(0, 1) if y.dim() > 3 else y
