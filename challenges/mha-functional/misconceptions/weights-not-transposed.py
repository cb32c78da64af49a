"""The weights are used untransposed.

Weights are stored (out, in), so the projection is x @ W.T. Each block is square, so the shapes match either way, and
nothing warns you.
"""


def project(x, weight):
    return x @ weight
