"""The gate is a ReLU instead of a SiLU.

That is ReGLU. It looks alike far from zero, but SiLU is smooth, and a little below zero where z is negative: those gates
still pass something, and still learn.
"""


def silu(z):
    return z.clamp(min=0)
