"""eps is hard-coded instead of being the argument.

The caller decides how large eps is, but yours is always {each}. Use the argument.
"""

EACH = {"1e-3": 1e-3, "1e-4": 1e-4}


def root(mean, eps):
    return torch.sqrt(mean + each)
