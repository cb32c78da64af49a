"""The scores are clipped to {each}.

All scores beyond the limit become equal. The softmax copes with large scores: it subtracts the row's maximum first.
"""

EACH = {"ten": 10.0, "thirty": 30.0}


def scale(scores, layer):
    return (scores / math.sqrt(layer.head_dim)).clamp(-each, each)
