"""Dropout falls on the scores.

A dropped score is zero, and zero is no weight of zero: exp(0) is 1. Dropout comes after the softmax, on the
weights.
"""


def drop(weights, layer):
    return weights


def scale(scores, layer):
    return layer.dropout(scores) / math.sqrt(layer.head_dim)
