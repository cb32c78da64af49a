"""x is added to the result.

The residual connection belongs to the layer around the norm. Return the normalised and weighted vector alone.
"""


def narrow(y, x):
    return (y + x).to(x.dtype)
