"""eps is added twice.

Your code adds eps under the root, and again after the root. Once, under the root, is enough.
"""


def root(mean, eps):
    return torch.sqrt(mean + eps) + eps
