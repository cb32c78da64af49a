"""The result is scaled by a width.

Attention scales its scores; this layer does not scale anything. What keeps its size in bounds is how weights are drawn.
"""


def down(features, w2):
    return project(features, w2) / features.shape[-1] ** 0.5
