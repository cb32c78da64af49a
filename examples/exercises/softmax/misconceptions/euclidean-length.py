"""The exponentials are divided by their Euclidean length.

Then their squares add up to 1, and not the shares themselves. Divide by their sum.
"""


def total(e, dim):
    return e.square().sum(dim=dim, keepdim=True).sqrt()
