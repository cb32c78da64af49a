"""The standard deviation is used instead of the root mean square.

A standard deviation measures the distance from the mean, so the mean is subtracted inside it, even if your code does
not show it. The two only agree when the mean is zero. Square the numbers themselves.
"""


def normalise(x, eps):
    return x / (x.std(dim=-1, keepdim=True, correction=0) + eps)
