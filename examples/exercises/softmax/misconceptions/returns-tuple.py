"""A tuple is returned.

Return the shares alone. Callers do not expect other things that you computed, such as the maximum.
"""


def softmax(x, dim):
    wide = widen(x)
    return narrow(share(exponentials(shift(wide, dim)), dim), x), largest(wide, dim)
