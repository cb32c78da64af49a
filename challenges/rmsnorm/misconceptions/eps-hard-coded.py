"""eps is a constant instead of the argument.

The caller says how large eps is, and models differ in it: your code uses a number of its own. It happens when a
constant of the module, or a literal, has the argument's job. Use what you are given.
"""


def root(mean, eps):
    return torch.sqrt(mean + 1e-5)
