"""The gradient of a vector of zeros is that of another function.

A case of its own for vectors of zeros, which {each}, gives the right value: zero. But the slope there is weight over the root of
eps. Nothing is special about zeros: with eps under the root the formula serves them too.
"""

EACH = {"hands them through": 1.0, "puts zeros in their place": 0.0}


def normalise(x, eps):
    mean = mean_square(x)
    return torch.where(mean == 0, each * x, x / root(mean, eps))
