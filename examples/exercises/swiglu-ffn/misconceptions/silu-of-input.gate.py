"""SiLU is applied before the projections.

The gate is the SiLU of a projection. In your code it is a projection of a SiLU: the order matters.
"""


def hidden(x, w1, w3):
    return project(silu(x), w1) * project(x, w3)
