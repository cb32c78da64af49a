"""The logarithm is taken of the mean probability.

Each position has a loss of its own, and these are averaged: first the logarithm, then the mean.
"""


def average(of_positions):
    return -torch.log(torch.exp(-of_positions).mean())
