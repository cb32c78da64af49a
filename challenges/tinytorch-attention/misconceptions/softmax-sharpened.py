"""The scores are multiplied by {each}.

There is no factor apart from the root of the width: no temperature. A larger one makes the softmax pick almost a single
key; a smaller one makes it flat.
"""

EACH = {"10": 10.0, "2": 2.0, "a half": 0.5}


def scale(scores, d_k):
    return scores * (each / math.sqrt(d_k))
