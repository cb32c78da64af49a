"""The values are averaged without using the weights.

Each query has its own weights, which say how much it takes from each value. A plain average takes the same amount from
every value it sees.
"""


def weigh(scores, layer):
    return softmax(hide(0.0 * scores, own_mask(layer, scores.shape[-1])))
