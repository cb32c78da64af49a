"""The scale is not the square root of d_head, but {each}.

d ** 1/2 is half of d, for powers come first; math.isqrt and // cut the root down to a whole number; a constant is right for
one size of a head only. Divide by math.sqrt(d_head), or d_head ** 0.5.
"""

EACH = {
    "half of it": lambda d_head: d_head / 2,
    "its root rounded down": math.isqrt,
    "its root rounded up": lambda d_head: math.isqrt(d_head - 1) + 1,
    "8, the root of 64": lambda d_head: 8,
}


def scale(scores, d_head):
    return scores / each(d_head)
