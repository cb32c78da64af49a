"""Both projections go through SiLU.

Only one of the two is a gate. What is gated keeps its sign and its size: activated too, it can hardly be negative any
more. The formula applies SiLU to one factor.
"""


def gated(gate, up):
    return silu(gate) * silu(up)
