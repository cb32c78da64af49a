"""The gate is clipped.

Clipping keeps exp from overflowing, but a gate above the bound no longer grows, and no longer learns. The sigmoid can be
made safe without changing z.
"""


def silu(z):
    z = z.clamp(-20, 20)
    return z * torch.sigmoid(z)
