"""eps is added twice.

Your code adds eps under the root, and once more to the root. Under the root is enough.
"""


def root(mean, eps):
    return torch.sqrt(mean + eps) + eps
