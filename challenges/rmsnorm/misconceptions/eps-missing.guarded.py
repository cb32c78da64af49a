"""eps is not used.

Your code avoids dividing by zero in a way of its own, and eps plays no part in it. Near zero, eps determines how much
the result shrinks: add eps under the root.
"""


def root(mean, eps):
    return torch.sqrt(mean).clamp(min=1e-30)
