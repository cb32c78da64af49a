"""The mean is squared, not the numbers.

Positive and negative numbers cancel out in a mean, so the size of the vector is lost. Square each number first, then
average.
"""


def mean_square(x):
    return x.mean(dim=-1, keepdim=True).square()
