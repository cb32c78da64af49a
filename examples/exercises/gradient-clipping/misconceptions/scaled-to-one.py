"""Gradients that are too long are scaled to a length of 1.

The factor is one by the norm. Their new length should be max_norm.
"""


def factor(norm, max_norm, eps):
    return 1 / (norm + eps)
