"""The pairs are counted from one.

The paper numbers the pairs from 1 and writes 2(i-1)/d; counted from 0 this is 2i/d, so the first pair rotates by one
radian per position. Yours starts with the second pair's frequency.
"""


def pair_frequencies(d_k, theta):
    return theta ** (-(torch.arange(0, d_k, 2, dtype=torch.float64) + 2) / d_k)
