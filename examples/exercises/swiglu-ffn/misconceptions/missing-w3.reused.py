"""The second projection up is missing.

Gate and gated are both projected by w1. They are two different functions of x: that is why the layer has three weights.
"""


def gated(gate, up):
    return silu(gate) * gate
