"""Each query takes only its best key.

Attention is soft: all keys count, by their weights. Taking the largest alone gives nearly the same for large scores,
another answer for ordinary ones, and the queries and keys no gradient.
"""


def softmax(scores):
    return (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype) + 0 * scores
