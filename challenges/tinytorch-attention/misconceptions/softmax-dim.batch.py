"""The softmax runs over the batch.

dim=0 is the batch: the sequences compete with each other, although they should be independent. Each query divides its
attention among the keys: use the last axis, dim=-1.
"""


def weigh(scores):
    return Softmax()(scores, dim=0)
