"""eps is added above the line as well.

Then gradients are scaled to hardly less than before. Only the norm gets it.
"""


def factor(norm, max_norm, eps):
    return (max_norm + eps) / (norm + eps)
