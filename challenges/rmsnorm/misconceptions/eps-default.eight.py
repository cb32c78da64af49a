"""The default of eps is not 1e-5.

When the caller leaves eps out, your function uses a different value from the exercise, which shows for small vectors.
The default is given in the signature.
"""


def rmsnorm(x, weight, eps=1e-8):
    return narrow(apply_weight(normalise(widen(x), eps), weight), x)
