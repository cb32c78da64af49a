"""No query attends to the {each} key.

A query divides its attention among all the keys that it may see, without exception. Look for a slice or an index that
leaves one out.
"""

EACH = {"first": 0, "last": -1}


def compare(Q, K):
    scores = Q @ K.mT
    if scores.shape[-1] > 1:
        scores[..., each] = -math.inf
    return scores
