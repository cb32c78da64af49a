"""SiLU is applied to the projection of w3 instead of that of w1.

One of the two projections is the gate, and the spec says which. In your code the other one is: look at which weight
stands inside the activation.
"""


def gated(gate, up):
    return gate * silu(up)
