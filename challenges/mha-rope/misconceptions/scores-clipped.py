"""The scores are clipped to {each}.

All scores above the limit become equal, and so do all scores below it. The softmax copes with large scores: it
subtracts the row's maximum first.
"""

EACH = {"ten": 10.0, "twenty": 20.0, "thirty": 30.0, "fifty": 50.0}


def scale(scores, d_k):
    return (scores / math.sqrt(d_k)).clamp(-each, each)
