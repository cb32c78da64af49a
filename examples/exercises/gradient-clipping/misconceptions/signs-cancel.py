"""The numbers are added up before they are squared.

Positive and negative ones cancel. Square each of them first.
"""


def squares(gradient):
    return gradient.sum() ** 2
