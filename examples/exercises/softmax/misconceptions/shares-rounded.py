"""The shares are rounded.

Rounded shares no longer add up to 1, small ones vanish, and no gradient passes. Return them as they are.
"""


def narrow(y, x):
    return y.round(decimals=3).to(x.dtype)
