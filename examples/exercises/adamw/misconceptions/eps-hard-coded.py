"""eps is always 1e-8.

The constructor's argument is not used. It matters where gradients are as small as eps.
"""


def move(parameter, mean, square, lr, eps):
    parameter.sub_(lr * mean / (square.sqrt() + 1e-8))
