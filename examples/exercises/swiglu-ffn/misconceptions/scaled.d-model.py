"""The result is scaled by a width.

Attention scales its scores; this layer does not scale anything. The gate is the SiLU of the projection as it is.
"""


def hidden(x, w1, w3):
    return gated(project(x, w1) / x.shape[-1] ** 0.5, project(x, w3))
