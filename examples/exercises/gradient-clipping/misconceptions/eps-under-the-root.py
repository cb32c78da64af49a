"""eps is added under the root.

There it counts as its own root, which for a small eps is far more. Take the root first, then add eps.
"""


def factor(norm, max_norm, eps):
    return max_norm / (norm**2 + eps) ** 0.5
