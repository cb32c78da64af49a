"""The mask is applied after the softmax.

Later tokens take part in the softmax and are only set to zero afterwards, so the rest of the row does not add up to
one. Hide the scores before the softmax, or divide each row by its sum again.
"""


def weigh(scores, layer):
    return softmax(scale(scores, layer)).masked_fill(own_mask(layer, scores.shape[-1]), 0.0)
