"""The default of eps is not 1e-5.

Yours is {each}. If the caller leaves eps out, it must be 1e-5; small vectors show the difference.
"""

EACH = {"1e-12": 1e-12, "0": 0.0, "1e-3": 1e-3, "1e-4": 1e-4}


def rmsnorm(x, weight, eps=None):
    return narrow(apply_weight(normalise(widen(x), each if eps is None else eps), weight), x)
