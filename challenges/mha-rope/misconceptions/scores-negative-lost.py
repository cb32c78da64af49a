"""Negative scores become zero.

A negative score says that a key is of little use to a query. The softmax takes numbers of either sign.
"""


def scale(scores, d_k):
    return scores.relu() / math.sqrt(d_k)
