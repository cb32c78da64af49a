"""The root of head_dim is cut to a whole number.

math.isqrt, int() and // round down, and most widths of a head are no square numbers. Divide by math.sqrt(head_dim), or
multiply by head_dim ** -0.5.
"""


def scale(scores, layer):
    return scores / math.isqrt(layer.head_dim)
