"""Queries and keys are swapped.

The score in row i and column j must be query i times key j. The other way round, the matrix is transposed and the
softmax runs over the queries.
"""


def score(Q, K):
    return K @ Q.transpose(-2, -1)
