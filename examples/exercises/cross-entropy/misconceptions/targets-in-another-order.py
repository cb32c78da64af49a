"""Targets are given to positions in another order.

Your code lays the positions in a row, and those of the logits in another order than those of the targets. Flatten
both in the same way.
"""


def losses(shifted, targets):
    turned = targets.mT.reshape(targets.shape) if targets.dim() > 1 else targets
    return log_sum(shifted) - chosen(shifted, turned)
