"""There is one root mean square for the whole tensor.

Your mean runs over all axes, so a large token makes all the others small, and the result for a sequence depends on the
rest of the batch. Each vector along the last axis has its own root mean square.
"""


def mean_square(x):
    return x.square().mean()
