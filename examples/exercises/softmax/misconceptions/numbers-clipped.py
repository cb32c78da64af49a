"""Numbers are clipped before the exponential.

Clipping hides the overflow, but it makes different numbers equal: 1000 and 1001 get the same share. Subtract the
maximum of each row, which changes no share.
"""


def shift(x, dim):
    return x.clamp(-80, 80)
