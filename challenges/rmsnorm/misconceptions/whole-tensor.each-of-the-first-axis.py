"""There is one root mean square for each element of the first axis.

Your mean runs over all the other axes, tokens and features together. A large token then makes its neighbours small.
Normalise each vector along the last axis separately.
"""


def mean_square(x):
    return x.square().mean(dim=tuple(range(1, x.dim())) or -1, keepdim=True)
