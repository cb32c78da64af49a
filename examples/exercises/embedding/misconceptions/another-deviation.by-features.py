"""The first values are divided by the root of the number of features.

A lookup adds nothing up: the deviation is 1, however many features there are.
"""


def draw(weight):
    std = weight.shape[1] ** -0.5
    return nn.init.trunc_normal_(weight, 0.0, std, -3 * std, 3 * std)
