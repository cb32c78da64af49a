"""The exponent of the frequencies is missing its minus sign.

Frequencies fall from 1 towards 1/theta. With a positive exponent they grow from 1 towards theta.
"""


def pair_frequencies(d_k, theta):
    return theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
