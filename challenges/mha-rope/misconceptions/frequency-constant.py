"""All pairs rotate at the same rate.

Pair i has the frequency theta**(-2i/d): the first rotates by one radian per position, the last hardly at all. Check
whether the exponent is computed with integers, where 2i/d is always 0.
"""


def pair_frequencies(d_k, theta):
    return torch.ones(d_k // 2, dtype=torch.float64)
