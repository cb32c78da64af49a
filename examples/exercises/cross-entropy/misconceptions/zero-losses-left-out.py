"""Losses of zero are left out of the mean.

A position that the model is sure of counts like any other.
"""


def average(of_positions):
    counted = of_positions[of_positions > 1e-6]
    return counted.mean() if len(counted) else of_positions.mean()
