"""The scores are multiplied by {each}.

There is no factor apart from the root of the width: no temperature. A factor above 1 makes the softmax pick almost a
single key; one below 1 makes it flatter.
"""

EACH = {"10": 10.0, "2": 2.0, "a half": 0.5}


def scale(scores, d_k):
    return scores * (each / math.sqrt(d_k))
