"""The factor is used twice.

Gradients become shorter than max_norm by as much as they were longer. Look for a second multiplication, or for squares where the lengths should be.
"""


def factor(norm, max_norm, eps):
    return (max_norm / (norm + eps)) ** 2
