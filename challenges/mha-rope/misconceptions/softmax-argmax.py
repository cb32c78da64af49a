"""Each query takes only its best key.

Attention is soft: all keys count, according to their weights. Taking only the largest gives nearly the same result for
large scores, a different one for ordinary scores, and no gradient for queries and keys.
"""


def softmax(scores):
    return (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype) + 0 * scores
