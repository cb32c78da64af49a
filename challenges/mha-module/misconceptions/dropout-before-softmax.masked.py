"""Dropout falls on the scores, after the mask.

A dropped score is zero, and zero is no weight of zero: exp(0) is 1. A hidden score that is dropped is minus infinity times
zero, which is NaN. Dropout comes after the softmax, on the weights.
"""


def drop(weights, layer):
    return weights


def weigh(scores, layer):
    return softmax(layer.dropout(hide(scale(scores, layer), own_mask(layer, scores.shape[-1]))))
