"""eps is not used.

Your code has its own way to avoid dividing by zero, and eps plays no part in it. Near zero, eps determines how much the
result shrinks: add eps under the root.
"""


def root(mean, eps):
    return torch.sqrt(mean).clamp(min=1e-30)
