"""eps is hard-coded instead of being the argument.

The caller decides how large eps is, and models differ. Your code uses its own number, perhaps a module constant or a
literal. Use the argument.
"""


def root(mean, eps):
    return torch.sqrt(mean + 1e-8)
