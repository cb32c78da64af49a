"""The step goes up the gradient.

The parameters move so that the loss grows. Take the step off.
"""


def move(parameter, mean, square, lr, eps):
    parameter.add_(lr * mean / (square.sqrt() + eps))
