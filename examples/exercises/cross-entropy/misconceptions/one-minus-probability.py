"""One minus the probability is returned.

That is a loss as well, but not the cross-entropy, which is minus the logarithm of the target's probability.
"""


def losses(shifted, targets):
    return 1 - torch.exp(chosen(shifted, targets) - log_sum(shifted))
