"""The gate is a sigmoid instead of a SiLU.

The sigmoid alone is the gated linear unit of old (GLU), whose gate lies between 0 and 1. SiLU multiplies the sigmoid by
something, and grows without bound.
"""


def silu(z):
    return torch.sigmoid(z)
