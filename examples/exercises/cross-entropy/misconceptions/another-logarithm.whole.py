"""The loss is measured in bits.

The natural logarithm is asked for. With the base 2 every loss is 1.44 times as large.
"""


def average(of_positions):
    return of_positions.mean() / 0.6931471805599453
