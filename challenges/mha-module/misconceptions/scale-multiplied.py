"""The scores are multiplied instead of divided.

Multiplying by the root of head_dim makes the scores even larger. Divide by it; check the sign of the exponent.
"""


def scale(scores, layer):
    return scores * math.sqrt(layer.head_dim)
