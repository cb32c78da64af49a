"""The losses of all positions are returned.

The result is one number: their mean.
"""


def average(of_positions):
    return of_positions
