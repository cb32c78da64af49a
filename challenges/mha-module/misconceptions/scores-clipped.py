"""The scores are kept within {each}.

All larger scores become equal. The softmax needs no help with large scores: it takes the row's maximum off first.
"""

EACH = {"ten": 10.0, "thirty": 30.0}


def scale(scores, layer):
    return (scores / math.sqrt(layer.head_dim)).clamp(-each, each)
