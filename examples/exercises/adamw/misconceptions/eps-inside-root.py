"""eps is added under the root.

There it counts as its own root, which for small gradients is far more. Take the root first, then add eps.
"""


def move(parameter, mean, square, lr, eps):
    parameter.sub_(lr * mean / (square + eps).sqrt())
