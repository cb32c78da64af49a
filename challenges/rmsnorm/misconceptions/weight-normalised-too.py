"""The weight is applied before the root mean square is taken.

Your root mean square is that of the weighted vector, so doubling the weight changes nothing at all. Normalise x by
itself, then apply the weight.
"""


def rmsnorm(x, weight, eps=1e-5):
    return narrow(normalise(apply_weight(widen(x), weight), eps), x)
