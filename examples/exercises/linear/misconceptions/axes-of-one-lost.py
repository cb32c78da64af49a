"""Axes of length 1 are lost.

squeeze removes every axis of length 1, also those of x, or the single output.
"""


def applied(x, weight):
    return (x @ weight.T).squeeze()
