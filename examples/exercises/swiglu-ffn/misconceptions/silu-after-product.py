"""SiLU is applied to the product of the two projections.

The activation opens and closes the gate; what is gated is multiplied in afterwards, unchanged. In your code the product
comes first, so that it is its sign that decides what passes.
"""


def gated(gate, up):
    return silu(gate * up)
