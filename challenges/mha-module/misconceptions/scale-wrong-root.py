"""The scale is not the square root of head_dim, but {each}.

d ** 1/2 is half of d, for powers come first; math.isqrt, int() and // cut the root down to a whole number; a constant
is right for one width of a head only. Divide by math.sqrt(head_dim), or head_dim ** 0.5.
"""

EACH = {"half of head_dim": "half", "its root rounded down": "down", "8, the root of 64": "8"}


def scale(scores, layer):
    root = {"half": layer.head_dim / 2, "down": math.isqrt(layer.head_dim), "8": 8}[each]
    return scores / root
