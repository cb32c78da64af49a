"""The result goes through an activation.

The layer ends with a projection, whose features may have any sign and size: they are added to the residual stream.
"""


def down(features, w2):
    return silu(project(features, w2))
