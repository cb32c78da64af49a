"""The gate is a hyperbolic tangent.

It is bounded and passes negative values as well as positive ones, so it never closes on one side. SiLU is z times a
number between 0 and 1.
"""


def silu(z):
    return torch.tanh(z)
