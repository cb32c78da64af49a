"""The gate goes through no silu.

Without it the network is a product of two linear maps.
"""


def silu(a):
    return a
