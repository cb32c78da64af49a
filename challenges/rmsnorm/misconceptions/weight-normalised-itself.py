"""The weight is normalised as well.

Your weight is divided by its own root mean square, so its size is lost. Only x is normalised; the weight is the factor
itself.
"""


def rmsnorm(x, weight, eps=1e-5):
    return narrow(apply_weight(normalise(widen(x), eps), normalise(widen(weight), eps)), x)
