"""The frequencies end at 1/theta.

The exponents 2i/d stop one step before 1: for d = 8 they are 0, 1/4, 1/2, 3/4. linspace from 0 to 1 includes its
endpoint and spreads them too far.
"""


def pair_frequencies(d_k, theta):
    return theta ** -torch.linspace(0, 1, d_k // 2, dtype=torch.float64)
