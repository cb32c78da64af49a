"""The exponent of the frequencies lost its minus sign.

Frequencies fall from 1 towards 1/theta. With a positive exponent they grow to thousands of radians a position.
"""


def pair_frequencies(d_k, theta):
    return theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
