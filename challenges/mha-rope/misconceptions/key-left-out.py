"""Nobody attends to the {each} key.

A query shares out its attention among all keys that it may see, and none is an exception. Look for a slice or an index that
leaves one out.
"""

EACH = {"first": 0, "last": -1}


def compare(Q, K):
    scores = Q @ K.mT
    if scores.shape[-1] > 1:
        scores[..., each] = -math.inf
    return scores
