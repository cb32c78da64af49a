"""The exponent of the frequencies is doubled.

arange(0, d, 2) already counts 0, 2, 4, ...; if you multiply by 2 again, the frequencies fall twice as fast as
theta**(-2i/d).
"""


def pair_frequencies(d_k, theta):
    return theta ** (-2 * torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
