"""eps is a constant instead of the argument.

The caller says how large eps is; yours is always {each}. Take the argument.
"""

EACH = {"1e-3": 1e-3, "1e-4": 1e-4}


def root(mean, eps):
    return torch.sqrt(mean + each)
