"""All pairs turn at the same speed.

Pair i has the frequency theta**(-2i/d): the first turns by one radian a position, the last hardly. Look whether the
exponent is computed in whole numbers, where 2i/d is always 0.
"""


def pair_frequencies(d_k, theta):
    return torch.ones(d_k // 2, dtype=torch.float64)
