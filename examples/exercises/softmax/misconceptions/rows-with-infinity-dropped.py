"""A row with minus infinity becomes zeros.

Only the entries of minus infinity get nothing. The others share all that there is.
"""


def share(e, dim):
    y = e / total(e, dim)
    return y.masked_fill((e == 0).any(dim=dim, keepdim=True), 0)
