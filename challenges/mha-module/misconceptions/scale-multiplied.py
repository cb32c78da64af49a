"""The scores are multiplied instead of divided.

The root of head_dim makes the scores even larger here. They are to be divided by it; look at the sign of the
exponent.
"""


def scale(scores, layer):
    return scores * math.sqrt(layer.head_dim)
