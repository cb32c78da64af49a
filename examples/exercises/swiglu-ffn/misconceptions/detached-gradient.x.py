"""x is detached.

Results are right, but no gradient reaches the layers below. Use the tensor that you were given, not its `.data`.
"""


def hidden(x, w1, w3):
    x = x.detach()
    return gated(project(x, w1), project(x, w3))
