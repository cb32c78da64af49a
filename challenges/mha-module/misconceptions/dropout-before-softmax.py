"""Dropout is applied to the scores.

A dropped score is zero, and that is not a weight of zero: exp(0) is 1. Apply dropout to the weights, after the softmax.
"""


def drop(weights, layer):
    return weights


def scale(scores, layer):
    return layer.dropout(scores) / math.sqrt(layer.head_dim)
