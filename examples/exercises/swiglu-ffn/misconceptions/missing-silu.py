"""The gate has no activation.

A product of two projections is a quadratic function: nothing in it opens or closes a gate. What does the formula apply
to the first projection before it multiplies?
"""


def silu(z):
    return z
