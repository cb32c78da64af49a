"""The frequencies are in reverse order.

The first pair rotates fastest, by one radian per position, and the last one slowest. Yours starts with the slowest.
"""


def pair_frequencies(d_k, theta):
    return (theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)).flip(0)
