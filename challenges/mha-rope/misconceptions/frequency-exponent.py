"""The exponent of the frequencies is halved.

Pair i turns by position * theta**(-2i/d): the 2 belongs to the pair's number. With -i/d all pairs but the first
turn too fast.
"""


def pair_frequencies(d_k, theta):
    return theta ** (-torch.arange(d_k // 2, dtype=torch.float64) / d_k)
