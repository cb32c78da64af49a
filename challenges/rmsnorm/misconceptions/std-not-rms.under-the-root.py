"""The standard deviation stands in for the root mean square.

A standard deviation measures the distance from the mean, so the mean is subtracted inside it, even where your code does
not show it. They agree only where the mean is zero. Square the numbers themselves.
"""


def mean_square(x):
    return x.var(dim=-1, keepdim=True, correction=0)
