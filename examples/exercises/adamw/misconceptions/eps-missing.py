"""eps is not used.

The step then has its full length however small the gradients are, and a gradient of zero gives 0 / 0. Add eps to the root.
"""


def move(parameter, mean, square, lr, eps):
    parameter.sub_(lr * mean / square.sqrt())
