"""The gate is a GELU instead of a SiLU.

That is GEGLU, and close: GELU multiplies z by the distribution function of the normal distribution, SiLU by another
function of z.
"""


def silu(z):
    return z * (1 + torch.erf(z / 2**0.5)) / 2
