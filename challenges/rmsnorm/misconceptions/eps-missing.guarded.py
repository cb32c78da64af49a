"""eps is not used.

Your code uses a tiny number of its own to avoid dividing by zero. Near zero, eps determines how much the result
shrinks: add eps under the root.
"""


def root(mean, eps):
    return torch.sqrt(mean).clamp(min=1e-30)
