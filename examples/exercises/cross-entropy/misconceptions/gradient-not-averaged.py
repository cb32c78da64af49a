"""The gradient is that of the sum, not of the mean.

In a backward pass of your own, divide by the number of positions, as the loss is.
"""


def average(of_positions):
    mean = of_positions.mean()
    return mean.detach() + of_positions.sum() - of_positions.sum().detach()
