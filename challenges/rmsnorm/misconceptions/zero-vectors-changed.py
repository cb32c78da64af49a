"""A vector of zeros does not stay one.

Your code has a case of its own for vectors of zeros, and puts {each} in their place. Nothing is special about them: with
eps under the root, zeros stay zeros.
"""

EACH = {"ones": 1.0, "eps": None}


def normalise(x, eps):
    is_zero = (x == 0).all(dim=-1, keepdim=True)
    return torch.where(is_zero, eps if each is None else each, x / root(mean_square(x), eps))
