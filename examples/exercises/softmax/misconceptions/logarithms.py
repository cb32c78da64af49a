"""Logarithms of the shares are returned.

They are all negative. A softmax returns the shares themselves, which add up to 1.
"""


def share(e, dim):
    return torch.log(e / total(e, dim))
