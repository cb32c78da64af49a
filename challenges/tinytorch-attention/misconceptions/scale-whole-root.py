"""The root of d is taken as a whole number.

math.isqrt, int() and // drop what comes after the point, so a width of 8 is scaled by 2 instead of 2.83. Use math.sqrt
or ** 0.5.
"""


def scale(scores, d_k):
    return scores * (1.0 / math.isqrt(d_k))
