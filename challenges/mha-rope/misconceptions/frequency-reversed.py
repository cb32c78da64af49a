"""The frequencies come in the reverse order.

The first pair turns fastest, by one radian a position, the last one slowest. Yours starts with the slowest.
"""


def pair_frequencies(d_k, theta):
    return (theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)).flip(0)
