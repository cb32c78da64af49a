"""The root is missing.

Your code divides by the mean of the squares. Twice as large an input comes out half as large then, where it should come
out unchanged. Divide by the root of that mean.
"""


def root(mean, eps):
    return mean + eps
