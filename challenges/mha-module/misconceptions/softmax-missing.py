"""There is no softmax.

Scores can be negative and of any size. The softmax turns them into weights, positive and summing to 1 for each query,
so that the output is a weighted average of the values.
"""


def weigh(scores, layer):
    return scale(scores, layer).masked_fill(own_mask(layer, scores.shape[-1]), 0.0)
