"""The square root of d is rounded to an integer.

math.isqrt, int() and // drop the fractional part, so a width of 8 is scaled by 2 instead of 2.83. Use math.sqrt or **
0.5.
"""


def scale(scores, d_k):
    return scores * (1.0 / math.isqrt(d_k))
