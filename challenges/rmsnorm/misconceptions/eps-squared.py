"""eps is squared.

eps stands beside squares, and is meant to be one already: it is added as it is. Squared, 1e-5 becomes 1e-10, which
changes nothing any more.
"""


def root(mean, eps):
    return torch.sqrt(mean + eps**2)
