"""The scale is not the square root of d_head, but {each}.

d ** 1/2 is half of d, because powers bind tighter than division; math.isqrt and // round the root down to an integer; a
constant is right for only one head size. Divide by math.sqrt(d_head), or d_head ** 0.5.
"""

EACH = {
    "half of d_head": "half",
    "its root rounded down": "down",
    "its root rounded up": "up",
    "8, the root of 64": "8",
}


def scale(scores, d_k):
    root = {"half": d_k / 2, "down": math.isqrt(d_k), "up": math.isqrt(d_k - 1) + 1, "8": 8}[each]
    return scores / root
