"""theta is hard-coded.

The base of the frequencies is an argument. With 10,000 hard-coded, every test with that base passes and every other one
fails.
"""


def pair_frequencies(d_k, theta):
    return 10000.0 ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
