"""eps is not used.

A vector of zeros is divided by zero then, and becomes NaN; a very small one is blown up to full size. eps is added to
the mean of the squares, before the root.
"""


def root(mean, eps):
    return torch.sqrt(mean)
