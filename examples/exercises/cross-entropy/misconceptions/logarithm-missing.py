"""Minus the probability is returned, without a logarithm.

The loss is minus the logarithm of the target's probability. Without it, a target with a tiny probability has almost
no gradient.
"""


def losses(shifted, targets):
    return -torch.exp(chosen(shifted, targets) - log_sum(shifted))
