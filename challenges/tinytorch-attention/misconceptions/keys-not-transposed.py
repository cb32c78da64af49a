"""The keys are not transposed.

Q @ K pairs the features of a query with the tokens of K: an error, unless there are as many of the one as of the other. The
scores need every query with every key, so K must be turned: K.transpose(-2, -1).
"""


def score(Q, K):
    return Q @ K
