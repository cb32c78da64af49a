"""The scores are kept within {each}.

All larger scores become equal, and so do all smaller ones. The softmax needs no help with large scores: it takes the row's
maximum off first.
"""

EACH = {"ten": 10.0, "twenty": 20.0, "thirty": 30.0, "fifty": 50.0}


def scale(scores, d_k):
    return (scores / math.sqrt(d_k)).clamp(-each, each)
