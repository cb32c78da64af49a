"""The mean is subtracted, not the maximum.

The shares stay the same, but nothing keeps exp from overflowing: a number far above the mean of its row still becomes
infinite. Minus infinity makes the mean useless altogether.
"""


def largest(x, dim):
    return x.mean(dim=dim, keepdim=True)
