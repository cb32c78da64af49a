"""The gradient of a vector of zeros is wrong.

Your special case for vectors of zeros, which {each}, gives the right value, zero. But the slope there is the weight
over the root of eps. Zeros need no special case: with eps under the root, the formula covers them too.
"""

EACH = {"hands them through": 1.0, "puts zeros in their place": 0.0}


def normalise(x, eps):
    mean = mean_square(x)
    return torch.where(mean == 0, each * x, x / root(mean, eps))
