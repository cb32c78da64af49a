"""The scores are divided by {each}, not by the square root of d.

d ** 1/2 is half of d, because powers bind tighter than division, and x / d ** 1/2 is half of x / d. Divide by
math.sqrt(d), or by d ** 0.5.
"""

EACH = {"half of d": 0.5, "twice d": 2.0}


def scale(scores, d_k):
    return scores * (1.0 / (each * d_k))
