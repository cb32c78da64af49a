"""The square root is missing.

Your code divides by the mean of the squares. If the input doubles, your output halves, but it should stay the same.
Divide by the root of that mean.
"""


def root(mean, eps):
    return mean + eps
