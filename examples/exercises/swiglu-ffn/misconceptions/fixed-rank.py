"""The code takes x to have a certain number of axes.

Any number of axes may come before the features, none included. Count axes from the end.
"""


def hidden(x, w1, w3):
    _batch, _seq, _ = x.shape
    return gated(project(x, w1), project(x, w3))
