"""theta is multiplied where it should be raised to a power.

The frequencies form a geometric series, theta**(-2i/d). Without the power they do not fall from 1 towards 1/theta.
"""


def pair_frequencies(d_k, theta):
    return 1 / (1 + theta * torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
