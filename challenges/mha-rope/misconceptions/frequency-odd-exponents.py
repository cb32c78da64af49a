"""The exponents are odd: 1/d, 3/d, 5/d.

The paper's 2(i-1)/d counts pairs from 1, and its exponents are 0, 2/d, 4/d. An off-by-one in the counting makes all
pairs rotate too slowly by the same factor.
"""


def pair_frequencies(d_k, theta):
    return theta ** (-(torch.arange(0, d_k, 2, dtype=torch.float64) + 1) / d_k)
