"""A sigmoid is used instead of the softmax.

A sigmoid weights each key independently, and the weights may sum to anything. A query's weights must sum to one over
the keys: use the softmax over the last axis.
"""


def softmax(scores):
    return torch.sigmoid(scores)
