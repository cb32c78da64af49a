"""eps is squared.

eps is added to squares and already has their scale: add it as it is. Squared, 1e-5 becomes 1e-10, which is far too
small.
"""


def root(mean, eps):
    return torch.sqrt(mean + eps**2)
