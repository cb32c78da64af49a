"""The scale is not the square root of d_head, but {each}.

d ** 1/2 is half of d, because powers bind tighter than division, and x / d ** 1/2 is half of x / d; math.isqrt and //
round the root down to an integer; a constant is right for only one head size. Divide by math.sqrt(d_head), or d_head **
0.5.
"""

EACH = {
    "half of d_head": "half",
    "twice d_head": "twice",
    "its root rounded down": "down",
    "its root rounded up": "up",
    "its fourth root": "fourth",
    "8, the root of 64": "8",
}


def scale(scores, d_head):
    whole = math.isqrt(d_head)
    root = {"half": d_head / 2, "twice": 2 * d_head, "down": whole, "up": math.isqrt(d_head - 1) + 1, "8": 8}
    return scores / (root | {"fourth": d_head**0.25})[each]
