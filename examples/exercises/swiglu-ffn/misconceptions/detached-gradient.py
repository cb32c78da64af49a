"""The {each} is detached.

No gradient flows back through the {each}: what makes it never learns. Leave out `.detach()`, `.data` and `no_grad`.
"""

EACH = {"gate": 0, "projection that is gated": 1}


def gated(gate, up):
    if each == 0:
        gate = gate.detach()
    else:
        up = up.detach()
    return silu(gate) * up
