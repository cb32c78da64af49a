"""The step is divided by the average of the squares, not by its root.

Then small gradients make huge steps. The root brings the squares back to the size of the gradient.
"""


def move(parameter, mean, square, lr, eps):
    parameter.sub_(lr * mean / (square + eps))
