"""A tuple is returned.

Return a single tensor. Callers do not expect other things you computed, such as the root mean square.
"""


def rmsnorm(x, weight, eps=1e-5):
    wide = widen(x)
    return narrow(apply_weight(normalise(wide, eps), weight), x), root(mean_square(wide), eps)
