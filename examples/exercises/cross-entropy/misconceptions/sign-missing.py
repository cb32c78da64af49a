"""The sign is reversed.

Logarithms of probabilities are negative, and the loss is minus their mean. Minimising yours would make the right
token ever less likely.
"""


def average(of_positions):
    return -of_positions.mean()
