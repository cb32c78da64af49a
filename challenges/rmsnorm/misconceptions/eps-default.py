"""The default of eps is not 1e-5.

Called without eps, your function takes another value than the exercise asks for. Small vectors show it. The default
stands in the signature.
"""


def rmsnorm(x, weight, eps=1e-6):
    return narrow(apply_weight(normalise(widen(x), eps), weight), x)
