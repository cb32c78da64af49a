"""A tuple comes back.

One tensor is asked for. What else you computed, such as the root mean square, is of no use to the caller: return the
result alone.
"""


def rmsnorm(x, weight, eps=1e-5):
    wide = widen(x)
    return narrow(apply_weight(normalise(wide, eps), weight), x), root(mean_square(wide), eps)
