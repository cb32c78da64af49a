"""Queries and keys are normalised to length 1.

That is cosine similarity. A score is the plain dot product, divided by the square root of the width.
"""


def score(Q, K):
    Q = Q / ((Q * Q).sum(axis=-1, keepdims=True)).sqrt()
    K = K / ((K * K).sum(axis=-1, keepdims=True)).sqrt()
    return Q @ K.transpose(-2, -1)
