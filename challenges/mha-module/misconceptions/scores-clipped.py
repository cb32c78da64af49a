"""The scores are clipped.

All scores beyond a limit of {each} or more become equal. The softmax copes with large scores: it subtracts the row's
maximum first.
"""

EACH = {"ten": 10.0, "thirty": 30.0}


def scale(scores, layer):
    return (scores / math.sqrt(layer.head_dim)).clamp(-each, each)
