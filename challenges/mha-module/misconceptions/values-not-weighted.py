"""The values are averaged without the weights.

Each query has weights of its own, which say how much it takes of each value. The plain average of all that it sees takes as
much of each.
"""


def weigh(scores, layer):
    return softmax(hide(0.0 * scores, own_mask(layer, scores.shape[-1])))
