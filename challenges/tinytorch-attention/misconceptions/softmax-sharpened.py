"""The scores are multiplied by {each}.

Beside the root of the width there is no other factor: no temperature. A larger one makes the softmax all but choose a single
key, a smaller one makes it flat.
"""

EACH = {"10": 10.0, "2": 2.0, "a half": 0.5}


def scale(scores, d_k):
    return scores * (each / math.sqrt(d_k))
