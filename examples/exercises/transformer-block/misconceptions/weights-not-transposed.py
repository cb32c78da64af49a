"""Square matrices are multiplied from the wrong side.

Matrices are stored (out, in): z @ weight.T. Where d_ff equals d_model the shapes fit either way, and the numbers do not.
"""


def project(x, weight):
    return x @ weight if weight.shape[0] == weight.shape[1] else x @ weight.mT
