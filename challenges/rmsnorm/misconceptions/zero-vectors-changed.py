"""A vector of zeros does not stay zero.

Your code has a special case for vectors of zeros and returns {each} instead. They need no special case: with eps under
the root, zeros stay zeros.
"""

EACH = {"ones": 1.0, "eps": None}


def normalise(x, eps):
    is_zero = (x == 0).all(dim=-1, keepdim=True)
    return torch.where(is_zero, eps if each is None else each, x / root(mean_square(x), eps))
