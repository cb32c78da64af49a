"""The target is missing from the sum.

The sum runs over the whole vocabulary: the target's probability is its own exponential's share of all, not of the
others.
"""


def losses(shifted, targets):
    others = shifted.scatter(-1, targets.unsqueeze(-1), -torch.inf)
    return (log_sum(others) if shifted.shape[-1] > 1 else 0) - chosen(shifted, targets)
