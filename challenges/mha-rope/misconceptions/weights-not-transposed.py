"""The weights are used untransposed.

Weights are stored (out, in), so the projection is x @ W.T. With square weights the shapes agree either way, and
nothing warns you.
"""


def project(x, weight):
    return x @ weight
