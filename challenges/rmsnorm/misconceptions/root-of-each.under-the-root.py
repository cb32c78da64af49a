"""The mean of the absolute values is used instead of the root mean square.

Taking the root of each square before the mean gives the average size of the numbers, where large ones count less than
they should. First square, then average, then take the root.
"""


def mean_square(x):
    return x.abs().mean(dim=-1, keepdim=True).square()
