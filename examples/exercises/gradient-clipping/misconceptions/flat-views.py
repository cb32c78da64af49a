"""A gradient that is a transposed view is an error.

`view(-1)` wants numbers that lie in order. `reshape` and `flatten` copy where they do not, and sums and norms need neither.
"""


def squares(gradient):
    return (gradient.view(-1) ** 2).sum()
