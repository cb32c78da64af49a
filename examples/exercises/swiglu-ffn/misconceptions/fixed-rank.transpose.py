"""The code takes x to have a certain number of axes.

Transposing axes 0 and 1 is right for a matrix alone: with a batch in front, other axes are turned. Count from the end.
"""


def project(x, weight):
    return (weight @ x.transpose(0, 1)).transpose(0, 1) if x.ndim > 1 else weight @ x
