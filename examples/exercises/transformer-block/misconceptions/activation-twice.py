"""Both halves of the feed-forward network go through the silu.

Only the gate does. What it lets through may be any number.
"""


def gated(gate, let_through):
    return silu(gate) * silu(let_through)
