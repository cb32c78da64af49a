"""The exponent of the frequencies is halved.

Pair i rotates by position * theta**(-2i/d): the 2 goes with the pair index i. With -i/d all pairs except the first
rotate too fast.
"""


def pair_frequencies(d_k, theta):
    return theta ** (-torch.arange(d_k // 2, dtype=torch.float64) / d_k)
