"""The gate is a hyperbolic tangent.

z * tanh(z) is never negative, and grows on both sides. SiLU is z times a number between 0 and 1 that tells the two
sides apart.
"""


def silu(z):
    return z * torch.tanh(z)
