"""The scale is not the square root of head_dim, but {each}.

d ** 1/2 is half of d, because powers bind tighter than division; math.isqrt, int(), round() and // turn the root into
an integer; a constant is right for only one head width. Divide by math.sqrt(head_dim), or head_dim ** 0.5.
"""

EACH = {
    "half of head_dim": "half",
    "half of head_dim rounded down": "half down",
    "its root rounded down": "down",
    "its root rounded up": "up",
    "its root rounded": "nearest",
    "8, the root of 64": "8",
}


def scale(scores, layer):
    root = {
        "half": layer.head_dim / 2,
        "half down": max(1, layer.head_dim // 2),
        "down": math.isqrt(layer.head_dim),
        "up": math.ceil(math.sqrt(layer.head_dim)),
        "nearest": round(math.sqrt(layer.head_dim)),
        "8": 8,
    }[each]
    return scores / root
