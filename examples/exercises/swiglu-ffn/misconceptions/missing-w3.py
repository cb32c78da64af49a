"""The second projection up is missing.

W2 SiLU(W1 x) is the layer without a gate. The projection by w3 has its own part: it says what passes, the other how much.
"""


def gated(gate, up):
    return silu(gate)
