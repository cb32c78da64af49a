"""eps is a lower bound instead of a summand.

Your code takes the larger one of the mean square and eps. That saves a vector of zeros as well, but wherever the two
are of similar size it gives other numbers, and the gradient has a kink. eps is added.
"""


def root(mean, eps):
    return torch.sqrt(mean.clamp(min=eps))
