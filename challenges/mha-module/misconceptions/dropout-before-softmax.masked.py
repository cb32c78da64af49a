"""Dropout is applied to the scores, after the mask.

A dropped score is zero, and that is not a weight of zero: exp(0) is 1. A hidden score that is dropped is minus infinity
times zero, which is NaN. Apply dropout to the weights, after the softmax.
"""


def drop(weights, layer):
    return weights


def weigh(scores, layer):
    return softmax(layer.dropout(hide(scale(scores, layer), own_mask(layer, scores.shape[-1]))))
