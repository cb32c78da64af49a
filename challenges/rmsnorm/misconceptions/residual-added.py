"""x is added to the result.

The residual connection belongs in the layer around the norm. Return only the normalised, weighted vector.
"""


def narrow(y, x):
    return (y + x).to(x.dtype)
