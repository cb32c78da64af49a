"""The silu is applied to the wrong half: w1 and w3 are swapped.

w1 makes the gate, which goes through the silu; w3 makes what it lets through.
"""


def gated(gate, let_through):
    return gate * silu(let_through)
