"""The weight is applied before the root mean square is taken.

Your root mean square is that of the weighted vector, so a weight twice as large changes nothing at all. Normalise x by
itself, then weigh the features.
"""


def rmsnorm(x, weight, eps=1e-5):
    return narrow(normalise(apply_weight(widen(x), weight), eps), x)
