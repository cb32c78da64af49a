"""The sum runs over all positions.

Each position has probabilities of its own, which add up to 1. Sum over the last axis only.
"""


def log_sum(shifted):
    return torch.log(torch.exp(shifted).sum())
