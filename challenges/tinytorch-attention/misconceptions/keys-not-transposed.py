"""The keys are not transposed.

Q @ K pairs the features of a query with the tokens of K, which raises an error unless there are as many tokens as
features. The scores need every query with every key, so transpose K: K.transpose(-2, -1).
"""


def score(Q, K):
    return Q @ K
